/**
 * Owns the locks by which tabs know of each other, which end with their tab: who must not be interrupted by an update or
 * a sign-in page, such as a walk that is being tracked; who is on their way out; whose business is open where.
 */
const RELOAD_LOCK = "held";
let preventions = 0;

/** Takes a lock beside others that have it, until the returned function is called. */
function acquireShared(name: string): () => void {
  let release = () => {};
  const ended = new Promise<void>((done) => {
    release = done;
  });
  void navigator.locks?.request(name, { mode: "shared" }, () => ended);
  return release;
}

/** Keeps the app from reloading or leaving the page until the returned function is called. */
export function preventReload(): () => void {
  preventions += 1;
  const release = acquireShared(RELOAD_LOCK);
  let isReleased = false;
  return () => {
    if (!isReleased) preventions -= 1;
    isReleased = true;
    release();
  };
}

export const isReloadPrevented = (): boolean => preventions > 0;

/** The same in any tab. */
export async function isReloadPreventedAnywhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return isReloadPrevented() || held.some((it) => it.name === RELOAD_LOCK);
}

/** Resolves when no tab keeps the app from reloading. */
export async function whenReloadAllowed(): Promise<void> {
  await navigator.locks?.request(RELOAD_LOCK, () => undefined);
}

/** Returns the sentence for an action that a tracked walk does not allow; `before` names the action. */
export const endWalkFirst = (before: string): string => `A walk is being tracked. End it before ${before}.`;

/** Runs `work` when nobody holds the lock, or when that takes too long: a tab that sleeps lets go of nothing. */
export async function withLockOrTimeout<T>(
  name: string,
  timeoutMs: number,
  work: (isFree: boolean) => Promise<T>,
): Promise<T> {
  let begun = false;
  const begin = () => {
    begun = true;
    return work(true);
  };
  try {
    return await (navigator.locks?.request(name, { signal: AbortSignal.timeout(timeoutMs) }, begin) ?? begin());
  } catch (error) {
    if (begun) throw error;
    return work(false);
  }
}

const LEAVING_LOCK = "leaving";
/** To pack what somebody leaves behind takes a slow phone a while. */
const LEAVES_WITHIN_MS = 15_000;

/** Says in all tabs that somebody is on their way out, as long as `work` runs. */
export async function whileLeaving<T>(work: () => Promise<T>): Promise<T> {
  const release = acquireShared(LEAVING_LOCK);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Runs `work` when nobody is on their way out. */
export const afterLeaving = <T>(work: () => Promise<T>): Promise<T> =>
  withLockOrTimeout(LEAVING_LOCK, LEAVES_WITHIN_MS, work);

/** The lock of every tab that has this person's business open. */
export const openLockName = (userId: string): string => `open:${userId}`;

/** Says that this tab has a person's business open, until the returned function is called. */
export const acquireOpenLock = (userId: string): (() => void) => acquireShared(openLockName(userId));

/** Runs `work` beside those tabs: whoever takes from the phone what the person has here waits for its end. */
export const whileOpen = <T>(userId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
  navigator.locks
    ? navigator.locks.request(openLockName(userId), { mode: "shared", ...(signal && { signal }) }, work)
    : work();

/** One after the other of all that opens or closes what a person has here, in all tabs. */
export const withUserLock = <T>(userId: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(`phone:${userId}`, work) : work();
