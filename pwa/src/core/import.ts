/**
 * The door to the part of the Rust core that reads files of clients and says what would come of them: a module of its own,
 * which only their screen loads. Those that call it `use(loadImportCore())` first.
 */
import { fetchedOnce } from "./loading";
import init from "./pkg/import/walkies_import";

export * from "./pkg/import/walkies_import";

/** Loads it; must be done before any other function of it is called. */
export const loadImportCore = fetchedOnce(() => init());
