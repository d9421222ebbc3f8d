/** Owns which visits are completed with the end of their walk, and what was typed and chosen for them so far. */
import { useState } from "react";
import type { ServiceView } from "../../core";
import { handOnDraft, save, useDraft, useReplica } from "../../data";
import { servicesOf, type WalkRow } from "../../data/walks/walks";
import { notesKey } from "../../parts/visit/notes";
import { names } from "../../parts/walk/walkText";
import type { FormProblem } from "../../ui";

/** Notes and choices so far. Stored on phones. Only add optional fields; never rename. */
interface FinishDraft {
  /** Notes of the service that the walk was started from. */
  notes?: string;
  /** Notes of the other services of the walk, by service id. */
  others?: Record<string, string>;
  /** Services that are not to be completed yet. */
  later?: string[];
  /** Set if the report is sent, too. */
  sends?: boolean;
}

export interface Completions {
  /** False until the disk was asked for what was typed before. */
  ready: boolean;
  /** All services of the walk. */
  services: ServiceView[];
  /** Services that are not completed yet. */
  open: ServiceView[];
  /** Services of `open` that are to be completed now. */
  ticked: ServiceView[];
  tick: (service: ServiceView, isTicked: boolean) => void;
  /** True if a ticked service was cancelled meanwhile, and will be completed all the same. */
  wasCancelled: boolean;
  notesOf: (service: ServiceView) => string;
  write: (service: ServiceView, notes: string) => void;
  /** True if the report is to be sent with it; `undefined` until somebody has said so. */
  sends: boolean | undefined;
  setSends: (sends: boolean) => void;
  /** Completes these services, and leaves the notes of the others at their visits; resolves with the first problem. */
  complete: (completed: readonly ServiceView[]) => Promise<FormProblem | undefined>;
  clear: () => void;
}

export function useCompletions(row: WalkRow): Completions {
  const key = `walk-notes-${row.id}`;
  const draft = useDraft<FinishDraft>(key, {});
  const services = useReplica((phone) => servicesOf(row).flatMap((id) => phone.service(id) ?? []));
  const [cancelled, setCancelled] = useState<readonly string[]>([]);

  const { later = [], sends } = draft.value;
  const open = services.filter((it) => it.status !== "completed");
  const ticked = open.filter((it) => !later.includes(it.id));
  const notesOf = ({ id }: ServiceView): string =>
    (id === row.service_id ? draft.value.notes : draft.value.others?.[id]) ?? "";

  const completeOne = async (service: ServiceView, isLast: boolean): Promise<FormProblem | undefined> => {
    const despite_cancel = cancelled.includes(service.id);
    const result = await save(
      { name: "complete_service", args: { id: service.id, notes: notesOf(service).trim(), despite_cancel } },
      `Complete ${service.summary}`,
      // The words of the others are still needed.
      isLast ? { draft: key } : {},
    );
    if (result.ok) return undefined;
    if (result.refusal.code === "was_cancelled") setCancelled([...cancelled, service.id]);
    return { text: services.length > 1 ? `${names(service.dogs)}: ${result.text}` : result.text };
  };

  return {
    ready: draft.ready,
    services,
    open,
    ticked,
    tick: ({ id }, isTicked) => draft.set({ later: isTicked ? later.filter((it) => it !== id) : [...later, id] }),
    wasCancelled: ticked.some((it) => cancelled.includes(it.id)),
    notesOf,
    write: ({ id }, notes) =>
      draft.set(id === row.service_id ? { notes } : { others: { ...draft.value.others, [id]: notes } }),
    sends,
    setSends: (sends) => draft.set({ sends }),
    complete: async (completed) => {
      // First, so that a kill in between loses no word.
      for (const service of open.filter((it) => !completed.includes(it))) {
        const notes = notesOf(service);
        if (notes) await handOnDraft(notesKey(service.id), row.id, { notes });
      }
      for (const service of completed) {
        const wrong = await completeOne(service, service === completed.at(-1));
        if (wrong) return wrong;
      }
      return undefined;
    },
    clear: draft.clear,
  };
}
