/**
 * Owns how confirmed rows lie on the phone: many to a page, each a line of its key, a blank and its text.
 * Reading some pages of bytes at a start takes a tenth of the time that ten thousand values of their own would.
 */
import type { Batch } from "../../core";

/** What becomes of rows, by key; without a text they go. */
type Changes = Map<string, string | undefined>;

/** Ids end in random digits, which spread rows evenly over 256 pages. */
const pageOf = (key: string): string => key.slice(-2);

/** What a batch does to which page. */
export function changesByPage({ put, delete: deleted }: Batch): Map<string, Changes> {
  const pages = new Map<string, Changes>();
  const change = (key: string, text?: string) => {
    const changes = pages.get(pageOf(key)) ?? new Map<string, string | undefined>();
    pages.set(pageOf(key), changes.set(key, text));
  };
  for (const { key, text } of put) change(key, text);
  for (const key of deleted) change(key);
  return pages;
}

/** The page with the changes made; `undefined` where nothing is left on it. */
export function changePage(page: Uint8Array | undefined, changes: Changes): Uint8Array | undefined {
  const kept = linesOf(page).filter((line) => !changes.has(line.slice(0, line.indexOf(" "))));
  const written = [...changes].flatMap(([key, text]) => (text === undefined ? [] : [`${key} ${text}`]));
  const lines = [...kept, ...written];
  return lines.length > 0 ? new TextEncoder().encode(lines.join("\n")) : undefined;
}

/** How many rows are on the page. */
export const countRows = (page: Uint8Array): number => linesOf(page).length;

const linesOf = (page: Uint8Array | undefined): string[] => (page ? new TextDecoder().decode(page).split("\n") : []);
