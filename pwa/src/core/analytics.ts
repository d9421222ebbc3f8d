/**
 * The door to the part of the Rust core that computes analytics: a module of its own, which only their screen loads.
 * Those that call it `use(loadAnalyticsCore())` first.
 */
import init from "./pkg/analytics/walkies_analytics";

export * from "./pkg/analytics/walkies_analytics";

let loading: Promise<unknown> | undefined;

/** Loads it; must be done before any other function of it is called. Later calls wait for the first. */
export function loadAnalyticsCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
