/** Owns how clients get at a report that they have already: the server tells of a new one, and never of a changed one. */
import type { Phone } from "../../core";
import { canSendNow } from "../../data";

/** Says before a report is shared, or shared anew with some of them, how these clients hear of it. */
export function waysAhead(phone: Phone, walkId: string, clientIds: readonly string[]): string {
  const have = new Set(phone.reports(walkId).map((it) => it.client_id));
  const ahead = phone.reportAhead(clientIds.filter((it) => !have.has(it)));
  const changed = clientIds.filter((it) => have.has(it)).map((it) => phone.toldOfChange(it, false, canSendNow()));
  return [ahead, ...changed].filter(Boolean).join(" ");
}
