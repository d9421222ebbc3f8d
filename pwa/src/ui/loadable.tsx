/**
 * Owns components whose code is fetched when they are needed. Unlike with `lazy`, what was fetched ahead is shown at
 * once: `lazy` begins with the fallback in any case, and React leaves a fallback on the screen for 300 ms.
 * All of the style comes with the first of them, but for those with which the app begins.
 */
import { type ComponentType, type ReactNode, use } from "react";
import { usable } from "../browser/usable";
import { wholeStyle } from "../browser/wholeStyle";

export interface Loadable<P> {
  (props: P): ReactNode;
  /** Fetches the code ahead. What fails here is tried again, and told, where it is shown. */
  preload: () => Promise<unknown>;
}

/** `first` for a component that the app may begin with, so that the page has its style. */
type Place = "first" | "later";

export function loadable<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  place: Place = "later",
): Loadable<P> {
  let loading: Promise<ComponentType<P>> | undefined;
  const fetch = () => {
    if (loading) return loading;
    const style = place === "first" ? undefined : wholeStyle();
    loading = usable(Promise.all([load(), style]).then(([it]) => it.default));
    return loading;
  };
  function Loaded(props: P) {
    const Component = use(fetch());
    return <Component {...props} />;
  }
  const preload = () =>
    fetch().catch(() => {
      loading = undefined;
    });
  return Object.assign(Loaded, { preload });
}
