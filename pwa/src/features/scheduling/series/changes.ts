/** Owns what the form of a series holds: what a person touched of it, and the command that this comes to. */
import type { ChangeSeries, DateChoice, Series, SeriesPhase, SeriesSlot, SlotPatch } from "../../../core";
import type { ServiceFields } from "../serviceForm/fields";

/** Fields of the form. */
export interface SeriesFields extends Pick<SeriesPhase, "rule" | "slots" | "dog_ids"> {
  notes: string;
  internal_notes: string;
  price_override: ServiceFields["price_override"];
  /** Visits that were changed by themselves follow, too. */
  replaces_own: boolean;
  choices: DateChoice[];
}

/** Finds the phase that holds on that day. */
export const phaseOn = ({ phases }: Series, date: string): SeriesPhase | undefined =>
  phases.findLast((it) => it.from <= date) ?? phases[0];

/**
 * Fields of the form that a person touched, times of the day one by one: what others change, add or remove meanwhile stays so.
 * Stored on phones. Only add optional fields; never rename.
 */
export type TouchedFields = Partial<Omit<SeriesFields, "slots">> & {
  slots?: SlotPatch[];
  /** Ids of times. */
  removed_slots?: string[];
};

/** The form as it is shown: the phase as it is now, with what was touched. */
export const shownFields = (phase: SeriesPhase, touched: TouchedFields): SeriesFields => ({
  rule: phase.rule,
  dog_ids: phase.dog_ids,
  notes: phase.notes ?? "",
  internal_notes: phase.internal_notes ?? "",
  price_override: phase.price_override ?? null,
  replaces_own: false,
  choices: [],
  ...touched,
  slots: shownSlots(phase, touched),
});

function shownSlots({ slots }: SeriesPhase, { slots: patches = [], removed_slots = [] }: TouchedFields): SeriesSlot[] {
  const kept = slots.filter((it) => !removed_slots.includes(it.id));
  const added = patches.filter((patch) => patch.is_new && !slots.some((it) => it.id === patch.id));
  return [
    ...kept.map((it) => ({ ...it, ...patches.find((patch) => patch.id === it.id)?.changes })),
    ...added.map(({ id, changes }) => ({ ...changes, id }) as SeriesSlot),
  ];
}

const SLOT_FIELDS = ["start_time", "duration_minutes", "service_type", "offering_id"] as const;

/** Lists the touched fields of a time of the day; nothing where it is as it was. */
function patchOf(slot: SeriesSlot, was: SeriesSlot | undefined): SlotPatch | undefined {
  const { id, ...all } = slot;
  if (!was) return { id, is_new: true, changes: all };
  const touched = SLOT_FIELDS.filter((it) => (slot[it] ?? null) !== (was[it] ?? null));
  if (touched.length === 0) return undefined;
  return { id, changes: Object.fromEntries(touched.map((it) => [it, slot[it] ?? null])) };
}

/** Finds what a person touched of the times of the day, against the phase as it is at that moment. */
export function touchedSlots(
  slots: readonly SeriesSlot[],
  phase: SeriesPhase,
): Pick<TouchedFields, "slots" | "removed_slots"> {
  const patches = slots.map((slot) =>
    patchOf(
      slot,
      phase.slots.find((it) => it.id === slot.id),
    ),
  );
  const removed = phase.slots.filter((it) => !slots.some((slot) => slot.id === it.id));
  return { slots: patches.filter((it) => it !== undefined), removed_slots: removed.map((it) => it.id) };
}

/** The command for what was touched, from that day on. */
export function changeOf(id: string, from: string, phase: SeriesPhase, touched: TouchedFields): ChangeSeries {
  const { slots = [], removed_slots = [], replaces_own = false, choices = [], ...changes } = touched;
  const isThere = (slot: string) => phase.slots.some((it) => it.id === slot);
  return {
    id,
    from,
    // The core says what is wrong with an amount that is not typed yet.
    changes: changes as Partial<SeriesPhase>,
    // A time that someone else has removed is not in the form any more.
    slots: slots.filter((it) => it.is_new || isThere(it.id)),
    removed_slots: removed_slots.filter(isThere),
    replaces_own,
    choices,
  };
}

/** Stands for words that are typed. */
const SOME_WORDS = "…";

/** Lists the touched fields that a preview depends on: of words, whether they are others than before. */
export function touchedDates(touched: TouchedFields, phase: SeriesPhase): TouchedFields {
  const { notes, internal_notes, price_override } = touched;
  const words = (typed: string, was: string) => (typed.trim() === was ? was : SOME_WORDS);
  return {
    ...touched,
    ...(notes !== undefined && { notes: words(notes, phase.notes ?? "") }),
    ...(internal_notes !== undefined && { internal_notes: words(internal_notes, phase.internal_notes ?? "") }),
    ...(price_override?.reason.trim() && {
      price_override: { ...price_override, reason: words(price_override.reason, phase.price_override?.reason ?? "") },
    }),
  };
}

/** Reads what was touched from a command that was turned down. */
export function touchedOf(command: ChangeSeries): TouchedFields {
  const { changes = {}, slots = [], removed_slots = [], replaces_own = false, choices = [] } = command;
  const { rule, dog_ids, notes, internal_notes, price_override } = changes;
  return {
    ...(rule && { rule }),
    ...(dog_ids && { dog_ids }),
    ...(notes !== undefined && { notes }),
    ...(internal_notes !== undefined && { internal_notes }),
    ...(price_override !== undefined && { price_override }),
    slots,
    removed_slots,
    replaces_own,
    choices: choices.filter((it) => it.way !== "wait" && it.way !== "again"),
  };
}
