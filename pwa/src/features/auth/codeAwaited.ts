/**
 * Owns the sign-up whose code is on its way: kept for this tab until it ends, so that who looks into their mail and comes
 * back goes on where they were. It opens nothing without the code, and the password is not in it.
 */
const KEY = "walkies-code-awaited";

export interface CodeAwaited {
  /** To be sent with the code. */
  confirmation: string;
  email: string;
  /** Until when the code is good, by this phone's clock. */
  until: number;
}

/** The one that is still good. */
export function codeAwaited(): CodeAwaited | undefined {
  try {
    const awaited = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as CodeAwaited | null;
    return awaited && Date.now() < awaited.until ? awaited : undefined;
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

/** Keeps it, or forgets the last one. */
export function awaitCode(awaited: CodeAwaited | undefined): void {
  try {
    if (awaited) sessionStorage.setItem(KEY, JSON.stringify(awaited));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Then the page has to stay open.
  }
}
