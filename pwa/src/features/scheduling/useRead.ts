/**
 * Owns reading the replica once per change and not once per render: what a schedule shows crosses from the core as
 * many small objects. What a change did not touch stays the same object, so that its part of the screen can rest.
 */
import { useMemo, useState } from "react";
import type { Phone } from "../../core";
import { business, useReplica } from "../../data";

/** Like `useReplica`, for reads that cost something; `on` is all that `read` uses beside the replica. */
export function useRead<T>(read: (phone: Phone) => T, ...on: readonly unknown[]): T {
  const version = useReplica(() => business().version);
  const [last] = useState<{ value?: T }>({});
  return useMemo(() => {
    last.value = shared(last.value, read(business().phone));
    return last.value;
    // The dependencies are the caller's to name, and the function itself is another one each time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [version, ...on]);
}

/** `next`, with every part that equals its part of `last` taken from there. Both are plain values, as JSON has them. */
export function shared<T>(last: T | undefined, next: T): T {
  if (Object.is(last, next) || !isParts(last) || !isParts(next)) return next;
  if (Array.isArray(last) !== Array.isArray(next)) return next;
  const names = Object.keys(next);
  let same = names.length === Object.keys(last).length;
  for (const name of names) {
    next[name as keyof T] = shared(last[name as keyof T], next[name as keyof T]);
    same &&= Object.is(next[name as keyof T], last[name as keyof T]);
  }
  return same ? last : next;
}

const isParts = (value: unknown): value is object => typeof value === "object" && value !== null;
