/**
 * The one door to the Rust core: loads the WASM once and passes on its typed functions.
 * No rules live on this side of it.
 */
import init from "./pkg/walkies_core";

export * from "./pkg/walkies_core";

let loading: Promise<unknown> | undefined;

/** Loads the core; must be done before any other function of it is called. Later calls wait for the first. */
export function loadCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
