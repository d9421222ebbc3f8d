/** Owns the address of an invoice on its way to a client: copied, shared, or written into a text or a mail. */
import type { InvoiceLink } from "../../core";
import { formatDollars } from "../../core";
import { textLink } from "../../parts/contact/contact";

/** `https://…/invoice/{shareId}`, which needs no sign-in; nothing while it waits to be sent. */
export const urlOf = ({ link }: { link?: string | null }): string | undefined =>
  link ? location.origin + link : undefined;

/** `Invoice INV-12, $75.00`. */
export const titleOf = ({ number, total }: InvoiceLink): string =>
  `Invoice${number && ` ${number}`}, ${formatDollars(total)}`;

/** A text message that is ready to be sent. */
export const textTo = (phone: string, link: InvoiceLink, url: string): string =>
  textLink(phone, `${titleOf(link)}: ${url}`);

/** A mail that is ready to be sent. */
export const mailTo = (email: string, link: InvoiceLink, url: string): string =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(titleOf(link))}&body=${encodeURIComponent(url)}`;
