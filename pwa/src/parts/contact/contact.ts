/** Owns the links by which a phone calls and writes to a client. */
import type { Destination } from "./navigation";

/** How a client can be reached, as far as it is known. */
export interface Reachable extends Destination {
  name: string;
  phone?: string;
  email?: string;
}

/** A client with what decides if messages of the app reach them. */
export interface InPortal extends Reachable {
  id: string;
  in_portal: boolean;
}

/** The place of the app's conversation with a client; nothing for one without a login, who would not read it. */
export const conversationPath = (client: Reachable | InPortal): string | undefined =>
  "in_portal" in client && client.in_portal ? `/messages/${client.id}` : undefined;

/** A `tel:` link; nothing where there is no number. */
export const callLink = (client: Reachable): string | undefined =>
  client.phone ? `tel:${dialed(client.phone)}` : undefined;

/** A number without what makes it readable. */
const dialed = (phone: string): string => phone.replaceAll(/[^+\d]/g, "");

/** A text message, with what it says if that is known. Both kinds of phones read `?&body=`, and ask whom where nobody is named. */
export const textLink = (phone: string, text?: string): string =>
  `sms:${dialed(phone)}${text === undefined ? "" : `?&body=${encodeURIComponent(text)}`}`;

/** A text where there is a number, since it is read at the door; else an e-mail. */
export function messageLink(client: Reachable): string | undefined {
  if (client.phone) return textLink(client.phone);
  return client.email ? `mailto:${client.email}` : undefined;
}
