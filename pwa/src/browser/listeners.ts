/** Owns who hears of a change: a set of listeners that something shared keeps, so that screens show it as it is. */

type Listener<Told extends unknown[]> = (...told: Told) => void;

/** Calls a listener on each change, until what it returns is called; as `useSyncExternalStore` wants it. */
export type Subscribe = (listener: () => void) => () => void;

/** The listeners of one thing. `Told` is what they are told of a change, mostly nothing: they look themselves. */
export class Listeners<Told extends unknown[] = []> {
  readonly #all = new Set<Listener<Told>>();

  /** Can be handed on by itself, and stays the same function, so that React does not subscribe anew. */
  readonly subscribe = (listener: Listener<Told>): (() => void) => {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  };

  notify(...told: Told): void {
    for (const listener of this.#all) listener(...told);
  }

  get size(): number {
    return this.#all.size;
  }

  clear(): void {
    this.#all.clear();
  }
}

/** Subscribes to whichever is the current one; `replaced` tells when that is another one, or none. */
export const subscribeToCurrent =
  (replaced: Listeners, current: () => { subscribe: Subscribe } | undefined): Subscribe =>
  (listener) => {
    let leave = current()?.subscribe(listener);
    const follow = () => {
      leave?.();
      leave = current()?.subscribe(listener);
      listener();
    };
    const leaveReplaced = replaced.subscribe(follow);
    return () => {
      leaveReplaced();
      leave?.();
    };
  };
