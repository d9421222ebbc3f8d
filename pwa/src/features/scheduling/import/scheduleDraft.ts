/** Owns what a person has of a file of bookings that repeat until they are booked, and how a row becomes a command. */
import { type Command, newId, type SeriesPlan } from "../../../core";
import type { ScheduleColumn, Table } from "../../../core/import";

export const DRAFT = "import-schedule";

/** Key of the draft that keeps the way back from an import until somebody is done with it. */
export const DONE_DRAFT = "imported-schedule";

export interface ScheduleDraft {
  /** Name of the file. */
  file: string;
  /** Its cells, as they were corrected; a row that is booked is in it no more. */
  table: Table | null;
  columns: ScheduleColumn[];
  /** Rows that are not booked, by their numbers. */
  left_out: number[];
}

export const NO_FILE: ScheduleDraft = { file: "", table: null, columns: [], left_out: [] };

export interface BookedSeries {
  id: string;
  /** Number of its dates that are taken and wait for a decision. */
  taken: number;
}

/** The series that can be undone. */
export interface Booked {
  series: BookedSeries[];
  /** The revision that the person had seen. */
  base_rev: number;
}

export const NOTHING: Booked = { series: [], base_rev: 0 };

/** The booking of a row, with ids of its own. */
export const toCommand = (plan: SeriesPlan): Extract<Command, { name: "create_series" }> => ({
  name: "create_series",
  args: {
    id: newId(),
    series: { ...plan, slots: (plan.slots ?? []).map((it) => ({ ...it, id: newId() })) },
    choices: [],
  },
});

export const countSeries = (count: number): string => (count === 1 ? "1 series" : `${count} series`);
