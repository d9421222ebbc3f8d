/**
 * The door to the part of the Rust core that computes analytics: a module of its own, which only their screen loads.
 * Those that call it `use(loadAnalyticsCore())` first.
 */
import { fetchedOnce } from "./loading";
import init from "./pkg/analytics/walkies_analytics";

export * from "./pkg/analytics/walkies_analytics";

/** Loads it; must be done before any other function of it is called. */
export const loadAnalyticsCore = fetchedOnce(() => init());
