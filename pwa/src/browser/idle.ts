/** Owns what can wait until the screen has nothing else to do. */

/** Where the browser does not say when it rests, as Safari does not. */
const RESTS_AFTER_MS = 3_000;

/** Does the work then; gives what calls it off. */
export function whenIdle(work: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, RESTS_AFTER_MS);
  return () => clearTimeout(timer);
}
