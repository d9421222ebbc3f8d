/**
 * The door to the part of the Rust core that says what an invoice's page says: a module of its own, which only those load
 * who look at one. They `use(loadInvoiceCore())` first.
 */
import { fetchedOnce } from "./loading";
import init from "./pkg/invoice/walkies_invoice";

export * from "./pkg/invoice/walkies_invoice";

/** Loads it; must be done before any other function of it is called. */
export const loadInvoiceCore = fetchedOnce(() => init());
