/**
 * Owns what must not be interrupted, such as a walk that is being tracked: no update and no sign-in page gets in its way;
 * and telling other tabs what this one holds, by locks that end with the tab.
 */
const HELD = "held";
let holds = 0;

/** Holds a lock beside others that hold it, until the returned function is called. */
function share(name: string): () => void {
  let letGo = () => {};
  const ended = new Promise<void>((done) => {
    letGo = done;
  });
  void navigator.locks?.request(name, { mode: "shared" }, () => ended);
  return letGo;
}

/** Keeps the app from reloading or leaving the page until the returned function is called. */
export function hold(): () => void {
  holds += 1;
  const letGo = share(HELD);
  let held = true;
  return () => {
    if (held) holds -= 1;
    held = false;
    letGo();
  };
}

export const isHeld = (): boolean => holds > 0;

/** The same in any tab. */
export async function isHeldAnywhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return isHeld() || held.some((it) => it.name === HELD);
}

/** What is said to whoever wants something that a tracked walk does not allow: `before` is what. */
export const endWalkFirst = (before: string): string => `A walk is being tracked. End it before ${before}.`;

/** Runs `work` when nobody holds the lock, or when that takes too long: a tab that sleeps lets go of nothing. */
export async function whenFree<T>(name: string, patienceMs: number, work: (isFree: boolean) => Promise<T>): Promise<T> {
  let begun = false;
  const begin = () => {
    begun = true;
    return work(true);
  };
  try {
    return await (navigator.locks?.request(name, { signal: AbortSignal.timeout(patienceMs) }, begin) ?? begin());
  } catch (error) {
    if (begun) throw error;
    return work(false);
  }
}

const LEAVING = "leaving";
/** To pack what somebody leaves behind takes a slow phone a while. */
const LEAVES_WITHIN_MS = 15_000;

/** Says in all tabs that somebody is on their way out, as long as `work` runs. */
export async function whileLeaving<T>(work: () => Promise<T>): Promise<T> {
  const letGo = share(LEAVING);
  try {
    return await work();
  } finally {
    letGo();
  }
}

/** Runs `work` when nobody is on their way out. */
export const afterLeaving = <T>(work: () => Promise<T>): Promise<T> => whenFree(LEAVING, LEAVES_WITHIN_MS, work);

/** The lock of every tab that has this person's business open. */
export const openName = (userId: string): string => `open:${userId}`;

/** Says that this tab has a person's business open, until the returned function is called. */
export const holdOpen = (userId: string): (() => void) => share(openName(userId));

/** One after the other of all that opens or closes what a person has here, in all tabs. */
export const inTurn = <T>(userId: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(`phone:${userId}`, work) : work();
