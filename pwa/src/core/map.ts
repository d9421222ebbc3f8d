/**
 * The door to the part of the Rust core that is about the map: a module of its own, which only the map's workers load.
 * Those that call it wait for `loadMapCore` first; who needs no more than its types does not load it.
 */
import init from "./pkg/map/walkies_map";

export * from "./pkg/map/walkies_map";

let loading: Promise<unknown> | undefined;

/** Loads it; must be done before any other function of it is called. Later calls wait for the first. */
export function loadMapCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
