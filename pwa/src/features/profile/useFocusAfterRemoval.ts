/** Owns where the focus goes when what had it goes with its row: to the heading of its section. */
import { useEffect, useRef } from "react";

/** Call what it gives when a row is to go; `rows` are the ones that are left, and `headingId` names a `Section`. */
export function useFocusAfterRemoval(headingId: string, rows: unknown): () => void {
  const goes = useRef(false);
  useEffect(() => {
    if (goes.current && document.activeElement === document.body) document.getElementById(headingId)?.focus();
    goes.current = false;
  }, [headingId, rows]);
  return () => {
    goes.current = true;
  };
}
