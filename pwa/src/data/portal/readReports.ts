/**
 * Owns telling the server that a report was read in the portal: its sitter sees that it was opened. What was told is
 * remembered while the app is open alone, since the address of a report is a secret; a repeat changes nothing.
 */
import { call } from "../server/api";

const told = new Set<string>();

/** Tells of a report that is on the screen; without a network, or in a tab that nobody sees, it is told the next time. */
export async function noteReportRead(share_id: string): Promise<void> {
  if (document.visibilityState !== "visible" || told.has(share_id)) return;
  const answer = await call(`/public/reports/${encodeURIComponent(share_id)}?read=1`);
  if (answer.ok) told.add(share_id);
}
