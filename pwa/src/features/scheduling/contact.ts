/** Owns the links by which a phone calls and writes to a client. */
import type { Destination } from "./navigation";

/** How a client can be reached, as far as it is known. */
export interface Reachable extends Destination {
  name: string;
  phone?: string;
  email?: string;
}

/** A `tel:` link; nothing where there is no number. */
export const callLink = (client: Reachable): string | undefined =>
  client.phone ? `tel:${client.phone.replaceAll(/[^+\d]/g, "")}` : undefined;

/** A text where there is a number, since it is read at the door; else an e-mail. */
export function messageLink(client: Reachable): string | undefined {
  if (client.phone) return `sms:${client.phone.replaceAll(/[^+\d]/g, "")}`;
  return client.email ? `mailto:${client.email}` : undefined;
}
