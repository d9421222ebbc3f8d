/** Owns what a person has of a file of clients until it is imported, and how it becomes a command. */
import { type Command, newId } from "../../core";
import type { DateAnswer, ImportedClient, Table } from "../../core/import";

export const DRAFT = "import-clients";

/** Key of the draft that keeps the way back from an import until somebody is done with it. */
export const DONE_DRAFT = "imported-clients";

export interface ImportDraft {
  /** Name of the file. */
  file: string;
  /** Its cells, as they were corrected. */
  table: Table | null;
  /** The field that each column holds; empty where it is left out. */
  columns: string[];
  /** First rows of clients that are imported although they are known. */
  added: number[];
  /** First rows of those that are not. */
  left_out: number[];
  /** Answers how dates are read; missing in drafts of before. */
  dates?: DateAnswer[];
  step: "columns" | "clients";
}

export const NO_FILE: ImportDraft = { file: "", table: null, columns: [], added: [], left_out: [], step: "columns" };

/** The clients that came, by their ids. */
export interface Imported {
  ids: string[];
  /** Numbers of those that came as one change each, in their order; missing where all of them did. */
  pieces?: number[];
}

export const NOBODY: Imported = { ids: [] };

export type ImportCommand = Extract<Command, { name: "import_clients" }>;

/** The clients of one change, with ids of their own. */
export const toCommand = (clients: readonly ImportedClient[]): ImportCommand => ({
  name: "import_clients",
  args: {
    clients: clients.map(({ client, dogs }) => ({
      id: newId(),
      client,
      dogs: dogs.map((changes) => ({ id: newId(), is_new: true, changes })),
    })),
  },
});

/** A list in pieces of these sizes. */
export function inPieces<T>(list: readonly T[], sizes: readonly number[]): T[][] {
  let begin = 0;
  return sizes.map((size) => {
    begin += size;
    return list.slice(begin - size, begin);
  });
}

/** `1 client`, `300 clients`. */
export const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;

/** The table with this text in a cell; all other rows stay what they are. */
export const withCell = (table: Table, number: number, column: number, text: string): Table => ({
  ...table,
  rows: table.rows.map((row) =>
    row.number === number ? { ...row, cells: row.cells.map((it, place) => (place === column ? text : it)) } : row,
  ),
});

/** The list with the number, or without it. */
export const withNumber = (list: readonly number[], number: number, isIn: boolean): number[] => [
  ...list.filter((it) => it !== number),
  ...(isIn ? [number] : []),
];
