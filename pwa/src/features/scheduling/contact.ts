/** Owns the links by which a phone calls, writes to and finds a client. */

/** What is needed of a client. */
export interface Reachable {
  name: string;
  phone?: string;
  email?: string;
  address?: string;
  lat?: number | null;
  lng?: number | null;
}

export const callLink = (client: Reachable): string | undefined =>
  client.phone ? `tel:${client.phone.replaceAll(/[^+\d]/g, "")}` : undefined;

/** A text where there is a number, since it is read at the door; else an e-mail. */
export function messageLink(client: Reachable): string | undefined {
  if (client.phone) return `sms:${client.phone.replaceAll(/[^+\d]/g, "")}`;
  return client.email ? `mailto:${client.email}` : undefined;
}

/** Each system opens its own maps app by its own address; a desktop gets a page. */
export function mapLink(client: Reachable): string | undefined {
  const point = client.lat != null && client.lng != null ? `${client.lat},${client.lng}` : undefined;
  const words = encodeURIComponent(client.address || point || "");
  if (!words) return undefined;
  if (/iPhone|iPad|iPod/.test(navigator.userAgent)) return `https://maps.apple.com/?q=${words}`;
  if (/Android/.test(navigator.userAgent)) return `geo:${point ?? "0,0"}?q=${words}`;
  return `https://www.openstreetmap.org/search?query=${words}`;
}
