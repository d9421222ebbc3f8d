/** Owns how clients get at a report that they have already: the server notifies of a new one, and never of a changed one. */
import type { Phone } from "../../core";
import { canSendNow } from "../../data";

/** Says before a report is shared, or shared anew with some of them, how these clients hear of it. */
export function waysAhead(phone: Phone, walkId: string, clientIds: readonly string[]): string {
  const have = new Set(phone.reports(walkId).map((it) => it.client_id));
  const ahead = phone.sharing(clientIds.filter((it) => !have.has(it))).ahead;
  const changed = clientIds.filter((it) => have.has(it)).map((it) => phone.toldOfChange(it, false, canSendNow()));
  return [ahead, ...changed].filter(Boolean).join(" ");
}

/** Says how a client finds a report that was shared: whether a notification went out then is not known any more. */
export function wayToShared(phone: Phone, clientId: string): string {
  const { done, to_pass_on } = phone.sharing([clientId]);
  if (to_pass_on.length > 0) return done;
  return phone.client(clientId) ? phone.toldOfChange(clientId, false, true) : "";
}
