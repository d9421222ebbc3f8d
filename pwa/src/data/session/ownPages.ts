/** Owns the mark by which the server tells the sitter from others who open the page of an invoice or a report in this browser. */

/** Seconds for which the mark stays: browsers keep none for longer. */
const KEPT_S = 400 * 24 * 60 * 60;

/** The names of the mark, with the addresses to which it is sent. */
const MARKS = { own_invoices: "/invoice", own_reports: "/api/public/reports" };

/** Marks this browser as the sitter's: the own look at a page is no news about the client. */
export const markOwnPages = (sitterId: string): void => mark(sitterId, KEPT_S);

/** Takes the mark off, as all that a session leaves goes with it. */
export const unmarkOwnPages = (): void => mark("", 0);

function mark(sitterId: string, keptS: number): void {
  for (const [name, path] of Object.entries(MARKS)) {
    document.cookie = `${name}=${sitterId}; path=${path}; max-age=${keptS}; samesite=lax`;
  }
}
