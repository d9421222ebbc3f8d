/** Owns where a test begins: at an address of the app, in the real history of the browser. */
import { type ReactNode, useState } from "react";
import { Route, Switch } from "wouter";
import { ConfirmHost, Steps, ToastHost } from "../src/ui";

export function At({ path, children }: { path: string; children: ReactNode }) {
  // Before anything below asks where it is.
  useState(() => history.replaceState(null, "", path));
  return <Steps>{children}</Steps>;
}

/** The same with a screen at its route and what it asks and says; at all other addresses it says that it is elsewhere. */
export function AtScreen({ path, route, children }: { path: string; route: string; children: ReactNode }) {
  return (
    <At path={path}>
      <Switch>
        <Route path={route}>{children}</Route>
        <Route>
          <p>elsewhere</p>
        </Route>
      </Switch>
      <ConfirmHost />
      <ToastHost />
    </At>
  );
}
