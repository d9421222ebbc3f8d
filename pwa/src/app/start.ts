/** Owns what has to be there before anything is shown: the core, the rows of this phone and the code of the first screen. */
import { usable } from "../browser/usable";
import { loadCore, textBound, textError } from "../core";
import { type Session, showRole, start } from "../data";
import { setTextRules } from "../ui";
import { preloadScreen } from "./sections";
import { roleAt } from "./side";

let starting: Promise<unknown> | undefined;

/** All of it is fetched at the same time, and once: later calls wait for the first. */
export function begin(): Promise<unknown> {
  starting ??= usable(fetchAll());
  return starting;
}

/** The next call of `begin` tries again what has failed. */
export function forgetBeginning(): void {
  starting = undefined;
}

async function fetchAll(): Promise<void> {
  let screen: Promise<unknown> | undefined;
  const known = ({ user }: Session) => {
    if (user?.role === "sitter") screen = preloadScreen(location.pathname);
  };
  showRole(roleAt(location.pathname));
  const core = loadCore().then(() => setTextRules({ bound: textBound, error: textError }));
  await Promise.all([core, start(known)]);
  await screen;
}
