/**
 * Owns who is signed in on this phone. A token that the server turns down takes nothing away:
 * work goes on, and what waits is sent after the password.
 */
import { useSyncExternalStore } from "react";
import { readSession, type SessionUser, type StoredSession, writeSession } from "./db";

export type Session =
  | { state: "loading"; user?: undefined }
  | { state: "signed_out"; user?: undefined }
  | { state: "signed_in" | "needs_auth"; user: SessionUser };

let stored: StoredSession | undefined;
let session: Session = { state: "loading" };
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel("walkies-session");
tabs.onmessage = () => void loadSession();

/** Reads the session from the disk. */
export async function loadSession(): Promise<Session> {
  show(await readSession());
  return session;
}

/** Signs in on this phone, or out with `undefined`; other tabs follow. */
export async function setSession(next: StoredSession | undefined): Promise<void> {
  await writeSession(next);
  show(next);
  tabs.postMessage("changed");
}

/** The server does not take this token any more; if another tab has signed in again since, that one stands. */
export async function turnedDown(token: string): Promise<void> {
  if (stored?.token === token && !stored.needs_auth) await setSession({ ...stored, needs_auth: true });
}

/** The bearer token, while the server is believed to take it. */
export const sessionToken = (): string | undefined => (stored?.needs_auth ? undefined : stored?.token);

export const currentSession = (): Session => session;

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession);

function show(next: StoredSession | undefined): void {
  stored = next;
  session = next ? { state: next.needs_auth ? "needs_auth" : "signed_in", user: next.user } : { state: "signed_out" };
  for (const listener of listeners) listener();
}
