/**
 * Owns who is signed in on this phone. A token that the server turns down takes nothing away:
 * work goes on, and what waits is sent after the password.
 */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { unmarkOwnPages } from "./ownPages";
import {
  changeSession,
  hasBothRoles,
  type Role,
  readSession,
  renewUser,
  rolesOf,
  type SessionUser,
  type StoredSession,
  writeSession,
} from "./sessionDb";

export type Session =
  | { state: "loading" | "signed_out"; user?: undefined; hasLocked?: undefined }
  | {
      state: "signed_in" | "needs_auth";
      /** With the role that this tab shows. */
      user: SessionUser;
      /** There is work of this person on the phone that is locked with an earlier password. */
      hasLocked: boolean;
    };

let stored: StoredSession | undefined;
let session: Session = { state: "loading" };
/** The role that this tab is to show of a person who has both. Another tab may show the other one. */
let wanted: Role | undefined;
const changes = new Listeners();
const tabs = new BroadcastChannel("walkies-session");
tabs.onmessage = () => void loadSession();

/** Reads the session from the disk. */
export async function loadSession(): Promise<Session> {
  show(await readSession());
  return session;
}

/** Shows a role in this tab from now on, where the person has it; with nothing the one that the account began with. */
export function showRole(role: Role | undefined): void {
  if (role === wanted) return;
  wanted = role;
  if (stored) show(stored);
}

/** Signs in on this phone, or out with `undefined`; other tabs follow. */
export async function setSession(next: StoredSession | undefined): Promise<void> {
  await writeSession(next);
  if (!next) unmarkOwnPages();
  show(next);
  tabs.postMessage("changed");
}

/** The server does not take this token any more; if another tab has signed in again since, that one stands. */
export async function turnedDown(credential: string): Promise<void> {
  const token = tokenIn(credential);
  if (stored?.token === token && !stored.needs_auth) await change(token, { needs_auth: true });
}

/** How often the time of a confirmation is written: it is counted in days. */
const CONFIRM_EVERY_MS = 3_600_000;

/** The server has taken the token. */
export async function confirmed(credential: string): Promise<void> {
  const token = tokenIn(credential);
  const now = Date.now();
  if (stored?.token !== token || Math.abs(now - (stored.confirmed_at ?? 0)) < CONFIRM_EVERY_MS) return;
  stored = (await changeSession(token, { confirmed_at: now })) ?? stored;
}

/** When the server last took the token. A session of an earlier version did not note it: that begins now. */
export async function confirmedAt(): Promise<number> {
  const now = Date.now();
  if (stored && stored.confirmed_at === undefined) await change(stored.token, { confirmed_at: now });
  return stored?.confirmed_at ?? now;
}

/** Nothing of the person is locked on this phone any more. */
export async function nothingIsLocked(): Promise<void> {
  if (stored?.has_locked) await change(stored.token, { has_locked: false });
}

/** Shows the account as the server has it now. */
export async function showUser(user: SessionUser): Promise<void> {
  if (stored?.user.id !== user.id) return;
  await renewUser(user);
  // An answer names the role of its call; tabs that show no certain one stay in theirs.
  const { role } = stored.user;
  await change(stored.token, { user: rolesOf(user).includes(role) ? { ...user, role } : user });
}

/** Notes something of the session, if it is still this one: another tab may have ended it. */
async function change(token: string, changes: Partial<StoredSession>): Promise<void> {
  const changed = await changeSession(token, changes);
  if (changed) show(changed);
  tabs.postMessage("changed");
}

/**
 * The bearer token, while the server is believed to take it. A person with both roles names with it the one in which the
 * call is made: that of this tab, unless the call is about what the tab may show no more when it is made.
 */
export function sessionToken(role?: Role): string | undefined {
  if (!stored || stored.needs_auth) return undefined;
  return hasBothRoles(stored.user) ? `${stored.token}.${role ?? inRole(stored.user).role}` : stored.token;
}

/** Returns the token without the role. */
export const tokenIn = (credential: string): string => credential.split(".", 1)[0] ?? "";

/** Returns the account in the role that this tab shows. */
function inRole(user: SessionUser): SessionUser {
  return wanted === undefined || wanted === user.role || !rolesOf(user).includes(wanted)
    ? user
    : { ...user, role: wanted };
}

export const currentSession = (): Session => session;

export const onSession = changes.subscribe;

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession);

function show(next: StoredSession | undefined): void {
  stored = next;
  session = next
    ? {
        state: next.needs_auth ? "needs_auth" : "signed_in",
        user: inRole(next.user),
        hasLocked: next.has_locked ?? false,
      }
    : { state: "signed_out" };
  changes.notify();
}
