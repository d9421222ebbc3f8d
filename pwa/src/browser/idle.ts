/** Owns what can wait until the screen has nothing else to do. */

/** Delay in browsers that do not report idle time, such as Safari. */
const RESTS_AFTER_MS = 3_000;

/** Does the work then, or `ms` from now where the browser does not say; gives what calls it off. */
export function whenIdle(work: () => void, ms = RESTS_AFTER_MS): () => void {
  if ("requestIdleCallback" in window) {
    const handle = requestIdleCallback(work);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
