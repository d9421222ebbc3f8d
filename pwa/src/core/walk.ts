/**
 * The door to the part of the Rust core that is about walks: a module of its own, which only the screens of walks load.
 * Those that call it `use(loadWalkCore())` first.
 */
import init from "./pkg/walk/walkies_walk";

export * from "./pkg/walk/walkies_walk";

let loading: Promise<unknown> | undefined;

/** Loads it; must be done before any other function of it is called. Later calls wait for the first. */
export function loadWalkCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
