/**
 * The door to the part of the Rust core that says what an invoice's page says: a module of its own, which only those load
 * who look at one. They `use(loadInvoiceCore())` first.
 */
import init from "./pkg/invoice/walkies_invoice";

export * from "./pkg/invoice/walkies_invoice";

let loading: Promise<unknown> | undefined;

/** Loads it; must be done before any other function of it is called. Later calls wait for the first. */
export function loadInvoiceCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
