/** Owns sending a change of Needs attention again, in the form that the person has chosen. */
import type { AttentionItem, WayOut } from "../../core";
import { business, save } from "../../data";
import { waitingOf } from "./waiting";

/** The words of a refusal if the phone's own rules say no; else it is saved, and has left the list. */
export async function resend({ id, sentence }: AttentionItem, way: WayOut): Promise<string | undefined> {
  const found = business().phone.attention();
  const entry = found.find((it) => it.entry.mutation.id === id)?.entry;
  if (!entry) return undefined; // another tab was faster
  const result = await save(way.command, sentence, {
    resolves: id,
    id: way.same_id ? id : undefined,
    base_rev: way.has_seen ? undefined : entry.mutation.base_rev,
    ...(await waitingOf(entry.photos ?? [])),
  });
  return result.ok ? undefined : result.text;
}

/** Returns the changes that the restored server has forgotten, in the order in which they were made. */
export function forgottenOf(items: readonly AttentionItem[]): AttentionItem[] {
  const forgotten = items.filter((it) => it.refusal?.code === "forgotten");
  // Ids are in the order of their making.
  return forgotten.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sends all of it again; what followed from another goes after it. Those that the phone's own rules refuse stay. */
export async function resendForgotten(): Promise<void> {
  const refused = new Set<string>();
  for (;;) {
    const phone = await business().wholePhone();
    const items = phone.attentionGroups().flatMap((it) => it.items);
    const next = forgottenOf(items).find((it) => it.ways.length > 0 && !refused.has(it.id));
    const way = next?.ways[0];
    if (!next || !way) return;
    if ((await resend(next, way)) !== undefined) refused.add(next.id);
  }
}
