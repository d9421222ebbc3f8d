/** Owns reading the replica once per change and not once per render: what a schedule shows crosses from the core as many small objects. */
import { useMemo } from "react";
import type { Phone } from "../../core";
import { business, useReplica } from "../../data";

/** Like `useReplica`, for reads that cost something; `on` is all that `read` uses beside the replica. */
export function useRead<T>(read: (phone: Phone) => T, ...on: readonly unknown[]): T {
  const version = useReplica(() => business().version);
  // The dependencies are the caller's to name, and the function itself is another one each time.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => read(business().phone), [version, ...on]);
}
