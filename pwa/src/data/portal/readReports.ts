/** Owns telling the server that a report was read in the portal, once from each device: its sitter sees that it was opened. */
import { call } from "../server/api";

const KEY = "walkies-read-reports";
/** Most reports that a device remembers; one that is forgotten is told of again, which changes nothing. */
const MOST = 200;

function told(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((it) => typeof it === "string") : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** Tells of a report that is on the screen; without a network, or in a tab that nobody sees, it is told the next time. */
export async function noteReportRead(share_id: string): Promise<void> {
  if (document.visibilityState !== "visible" || told().includes(share_id)) return;
  const answer = await call(`/public/reports/${encodeURIComponent(share_id)}?read=1`);
  if (!answer.ok) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([share_id, ...told()].slice(0, MOST)));
  } catch {
    // Then it is told again.
  }
}
