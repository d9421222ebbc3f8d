/**
 * Owns how screens read the replica. Who reads is drawn again when what was read has changed, and not with each change:
 * many small readers are on a screen, and most changes concern one of them.
 */
import { use, useRef, useSyncExternalStore } from "react";
import { type FirstPhone, loadRest, type Phone } from "../../core";
import { business, type OpenBusiness, openBusiness, subscribeToReplica } from "./openBusiness";

/**
 * Returns the result of `read`, again after each change of the replica. Parts that a change did not touch stay the same
 * object. `read` must be cheap: it also runs on every render of the caller. A component that calls it suspends until
 * all of the core is there.
 */
export function useReplica<T>(read: (phone: Phone) => T): T {
  use(loadRest());
  return useAnswer(read as Read<T>, [read]);
}

/** Like `useReplica`, for reads that cost something; `on` is all that `read` uses beside the replica. */
export function useRead<T>(read: (phone: Phone) => T, ...deps: readonly unknown[]): T {
  use(loadRest());
  return useAnswer(read as Read<T>, deps);
}

/** Like `useReplica`, for the first screens: they wait for no more than the first part of the core. */
export function useFirstReplica<T>(read: Read<T>): T {
  return useAnswer(read, [read]);
}

/** Like `useRead`, for the first screens. */
export function useFirstRead<T>(read: Read<T>, ...deps: readonly unknown[]): T {
  return useAnswer(read, deps);
}

type Read<T> = (phone: FirstPhone) => T;

interface LastRead<T> {
  /** The business that the value was read from; `version` counts anew in another one. */
  of: OpenBusiness;
  version: number;
  on: readonly unknown[];
  value: T;
}

function useAnswer<T>(read: Read<T>, on: readonly unknown[]): T {
  const last = useRef<LastRead<T>>(undefined);
  return useSyncExternalStore(subscribeToReplica, () => {
    const before = last.current;
    // Signing out closes the business first; the screen that goes then shows what it showed.
    if (before && !openBusiness()) return before.value;
    const of = business();
    const { phone, version } = of;
    const isSame =
      before?.of === of && before.version === version && on.every((it, index) => Object.is(it, before.on[index]));
    if (isSame) return before.value;
    const value = shareStructure(before?.value, read(phone));
    last.current = { of, version, on, value };
    return value;
  });
}

/** `next`, with every part that equals its part of `last` taken from there. Both are plain values, as JSON has them. */
export function shareStructure<T>(last: T | undefined, next: T): T {
  if (Object.is(last, next) || !isParts(last) || !isParts(next)) return next;
  if (Array.isArray(last) && Array.isArray(next)) return sharedList(last, next) as T & unknown[];
  if (Array.isArray(last) || Array.isArray(next)) return next;
  const names = Object.keys(next) as (keyof T)[];
  let same = names.length === Object.keys(last).length;
  for (const name of names) {
    next[name] = shareStructure(last[name], next[name]);
    same &&= Object.is(next[name], last[name]);
  }
  return same ? last : next;
}

/** From both ends, since what comes into a list or goes from it moves what is behind it. */
function sharedList(last: unknown[], next: unknown[]): unknown[] {
  const moved = last.length - next.length;
  const isShared = (index: number, before: number) => {
    next[index] = shareStructure(last[before], next[index]);
    return Object.is(next[index], last[before]);
  };
  const most = Math.min(last.length, next.length);
  let front = 0;
  while (front < most && isShared(front, front)) front += 1;
  if (front === most && moved === 0) return last;
  let end = next.length;
  while (end > front && end + moved > front && isShared(end - 1, end - 1 + moved)) end -= 1;
  for (let index = front + 1; index < Math.min(end, last.length); index += 1) isShared(index, index);
  return next;
}

/** Lists and plain objects; of others nobody knows what they hold. */
const isParts = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype);
