/** Owns where a test begins: at an address of the app, in the real history of the browser. */
import { type ReactNode, useState } from "react";
import { Steps } from "../src/ui";

export function At({ path, children }: { path: string; children: ReactNode }) {
  // Before anything below asks where it is.
  useState(() => history.replaceState(null, "", path));
  return <Steps>{children}</Steps>;
}
