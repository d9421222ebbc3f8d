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

export const fieldsOf = (phase: SeriesPhase): SeriesFields => ({
  rule: phase.rule,
  slots: phase.slots,
  dog_ids: phase.dog_ids,
  notes: phase.notes ?? "",
  internal_notes: phase.internal_notes ?? "",
  price_override: phase.price_override ?? null,
  replaces_own: false,
  choices: [],
});

const SLOT_FIELDS = ["start_time", "duration_minutes", "service_type", "offering_id"] as const;

/** Lists the touched fields of a time of the day; nothing where it is as it was. */
function patchOf(slot: SeriesSlot, was: SeriesSlot | undefined): SlotPatch | undefined {
  const { id, ...all } = slot;
  if (!was) return { id, is_new: true, changes: all };
  const touched = SLOT_FIELDS.filter((it) => (slot[it] ?? null) !== (was[it] ?? null));
  if (touched.length === 0) return undefined;
  return { id, changes: Object.fromEntries(touched.map((it) => [it, slot[it] ?? null])) };
}

/** The command for what was touched, from that day on. */
export function changeOf(id: string, from: string, phase: SeriesPhase, touched: Partial<SeriesFields>): ChangeSeries {
  const { slots = phase.slots, replaces_own = false, choices = [], ...changes } = touched;
  const patches = slots.map((slot) =>
    patchOf(
      slot,
      phase.slots.find((it) => it.id === slot.id),
    ),
  );
  return {
    id,
    from,
    // The core says what is wrong with an amount that is not typed yet.
    changes: changes as Partial<SeriesPhase>,
    slots: patches.filter((it) => it !== undefined),
    removed_slots: phase.slots.filter((it) => !slots.some((slot) => slot.id === it.id)).map((it) => it.id),
    replaces_own,
    choices,
  };
}

/** Reads what was touched from a command that was turned down. */
export function touchedOf(command: ChangeSeries, phase: SeriesPhase): Partial<SeriesFields> {
  const { changes = {}, slots = [], removed_slots = [], replaces_own = false, choices = [] } = command;
  const kept = phase.slots.filter((it) => !removed_slots.includes(it.id));
  const patched = kept.map((it) => ({ ...it, ...slots.find((patch) => patch.id === it.id)?.changes }));
  const added = slots.filter((it) => it.is_new).map(({ id, changes }) => ({ ...changes, id }) as SeriesSlot);
  const { rule, dog_ids, notes, internal_notes, price_override } = changes;
  return {
    ...(rule && { rule }),
    ...(dog_ids && { dog_ids }),
    ...(notes !== undefined && { notes }),
    ...(internal_notes !== undefined && { internal_notes }),
    ...(price_override !== undefined && { price_override }),
    slots: [...patched, ...added],
    replaces_own,
    choices: choices.filter((it) => it.way !== "wait" && it.way !== "again"),
  };
}
