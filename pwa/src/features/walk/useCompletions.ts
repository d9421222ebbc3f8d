/** Owns which visits are completed with the end of their walk, and what was typed and chosen for them so far. */
import { useState } from "react";
import type { ServiceView } from "../../core";
import { handOnDraft, save, useDraft, useReplica } from "../../data";
import { kindOf, servicesOf, type WalkRow } from "../../data/walks/walks";
import { notesKey } from "../../parts/visit/notes";
import { names } from "../../parts/walk/walkText";
import type { FormProblem } from "../../ui";

/** Words and choices so far. Stored on phones. Only add optional fields; never rename. */
interface FinishDraft {
  /** Words for the report and the invoice alike, of all clients that have none of their own. */
  notes?: string;
  /** Words by client id, where each client has its own. */
  apart?: Record<string, string>;
  /** Words for the sitter alone. */
  internal_notes?: string;
  /** Services that are not to be completed yet. */
  later?: string[];
  /** Set if the report is sent, too. */
  sends?: boolean;
}

export interface Completions {
  /** False until the disk was asked for what was typed before. */
  ready: boolean;
  /** All services of the walk; of a day of a stay those that end with it. */
  services: ServiceView[];
  /** Services that are not completed yet. */
  open: ServiceView[];
  /** Services of `open` that are to be completed now. */
  ticked: ServiceView[];
  tick: (service: ServiceView, isTicked: boolean) => void;
  /** True if a ticked service was cancelled meanwhile, and will be completed all the same. */
  wasCancelled: boolean;
  /** Words for a client, by its id; those for all of them without one. */
  wordsFor: (clientId?: string) => string;
  /** Writes the words for a client, by its id; those for all of them without one. */
  write: (words: string, clientId?: string) => void;
  /** True if each client has words of its own. */
  isApart: boolean;
  /** Gives these clients, by their ids, words of their own, which begin with those for all. */
  setApart: (clientIds: readonly string[]) => void;
  internalNotes: string;
  writeInternal: (words: string) => void;
  /** True if the report is to be sent with it; `undefined` until somebody has said so. */
  sends: boolean | undefined;
  setSends: (sends: boolean) => void;
  /** Completes these services, and leaves the words of the others at their visits; resolves with the first problem. */
  complete: (completed: readonly ServiceView[]) => Promise<FormProblem | undefined>;
  clear: () => void;
}

export function useCompletions(row: WalkRow): Completions {
  const key = `walk-notes-${row.id}`;
  const draft = useDraft<FinishDraft>(key, {});
  const services = useReplica((phone) => {
    const all = servicesOf(row).flatMap((id) => phone.service(id) ?? []);
    // A stay is done when its last day is.
    const today = phone.today(row.started_at);
    return kindOf(row) === "day" ? all.filter((it) => (it.end_date ?? it.date) <= today) : all;
  });
  const [cancelled, setCancelled] = useState<readonly string[]>([]);

  const { notes = "", apart, internal_notes = "", later = [], sends } = draft.value;
  const open = services.filter((it) => it.status !== "completed");
  const ticked = open.filter((it) => !later.includes(it.id));
  const wordsFor = (clientId = ""): string => apart?.[clientId] ?? notes;

  const completeOne = async (service: ServiceView, isLast: boolean): Promise<FormProblem | undefined> => {
    const despite_cancel = cancelled.includes(service.id);
    const words = { notes: wordsFor(service.client_id).trim(), internal_notes: internal_notes.trim() };
    const result = await save(
      { name: "complete_service", args: { id: service.id, ...words, despite_cancel } },
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
    wordsFor,
    write: (words, clientId) =>
      draft.set(clientId === undefined ? { notes: words } : { apart: { ...apart, [clientId]: words } }),
    isApart: apart !== undefined,
    setApart: (clientIds) => draft.set({ apart: Object.fromEntries(clientIds.map((it) => [it, notes])) }),
    internalNotes: internal_notes,
    writeInternal: (words) => draft.set({ internal_notes: words }),
    sends,
    setSends: (sends) => draft.set({ sends }),
    complete: async (completed) => {
      // First, so that a kill in between loses no word.
      for (const service of open.filter((it) => !completed.includes(it))) {
        const words = { notes: wordsFor(service.client_id), internal_notes };
        if (words.notes || internal_notes) await handOnDraft(notesKey(service.id), row.id, words);
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
