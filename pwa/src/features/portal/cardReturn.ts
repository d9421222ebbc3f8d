/** Owns the addresses to which a payer comes back from Stripe; the server makes the same ones. */
import type { InvoiceCard } from "../../core";

/** Path of the invoices' screen. */
export const INVOICES = "/client/invoices";

/** A payer who is back, as the address says it. */
export interface CardReturn {
  /** The secret of the address of the invoice's page. */
  share: string;
  /** True if Stripe has led back from a payment. */
  hasPaid: boolean;
}

/** Reads the query of the invoices' address; nothing for whom does not come from Stripe. */
export function cardReturn(query: URLSearchParams): CardReturn | undefined {
  const share = query.get("card") ?? "";
  return /^[\w-]{8,64}$/.test(share) ? { share, hasPaid: query.has("paid") } : undefined;
}

export const invoicePage = ({ share, hasPaid }: CardReturn): string => `/invoice/${share}${hasPaid ? "?paid=1" : ""}`;

/** The invoice's page for somebody who comes back from Stripe and whom the portal does not know. */
export function pageForStranger(path: string, search: string): string | undefined {
  const back = path === INVOICES ? cardReturn(new URLSearchParams(search)) : undefined;
  return back && invoicePage(back);
}

/** The address to which the browser's own way back from Stripe leads. */
export const returnTo = ({ client_id, link }: InvoiceCard): string =>
  `${INVOICES}?client_id=${client_id}&card=${link?.split("/").at(-1) ?? ""}`;
