/**
 * Owns components whose code is fetched when they are needed. Unlike with `lazy`, what was fetched ahead is shown at
 * once: `lazy` begins with the fallback in any case, and React leaves a fallback on the screen for 300 ms.
 */
import { type ComponentType, type ReactNode, use } from "react";
import { usable } from "../browser/usable";

export interface Loadable<P> {
  (props: P): ReactNode;
  /** Fetches the code ahead. What fails here is tried again, and told, where it is shown. */
  preload: () => Promise<unknown>;
  /** Forgets that the code could not be fetched: it is fetched again when it is shown next. */
  forget: () => void;
}

export function loadable<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Loadable<P> {
  let loading: Promise<ComponentType<P>> | undefined;
  const fetch = () => {
    loading ??= usable(load().then((it) => it.default));
    return loading;
  };
  function Loaded(props: P) {
    const Component = use(fetch());
    return <Component {...props} />;
  }
  const forget = () => {
    loading = undefined;
  };
  return Object.assign(Loaded, { preload: () => fetch().catch(forget), forget });
}
