/**
 * The door to the part of the Rust core that is about walks: a module of its own, which only the screens of walks load.
 * Those that call it `use(loadWalkCore())` first.
 */
import { fetchedOnce } from "./loading";
import init from "./pkg/walk/walkies_walk";

export * from "./pkg/walk/walkies_walk";

/** Loads it; must be done before any other function of it is called. */
export const loadWalkCore = fetchedOnce(() => init());
