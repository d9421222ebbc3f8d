/**
 * Owns signing in and out, and which business is open in this tab.
 * Signing out never loses unsent work silently: the person says what becomes of it.
 */
import { useSyncExternalStore } from "react";
import { type FieldError, transportError, validateSignIn } from "../core";
import { type Answer, type ApiError, call } from "./api";
import { deleteUserDb, leaveUserDb, type SessionUser } from "./db";
import { isHeld } from "./hold";
import { OpenBusiness, openBusiness, setOpenBusiness } from "./phone";
import { currentSession, loadSession, onSession, type Session, sessionToken, setSession } from "./session";
import { Store } from "./store";
import { Syncer, type SyncStatus } from "./sync";

export type Result = { ok: true } | { ok: false; error: { text: string; fields?: FieldError[] } };

let syncer: Syncer | undefined;

/**
 * Reads the session and opens its business; the app shows a spinner until this resolves. `known` hears who is signed
 * in before the rows are read.
 */
export async function start(known: (session: Session) => void = () => undefined): Promise<void> {
  known(await loadSession());
  await followSession();
  onSession(() => void followSession());
}

/** Opens what the session says: the same in every tab. One change after the other. */
let following: Promise<void> = Promise.resolve();
function followSession(): Promise<void> {
  following = following.then(async () => {
    const { state, user } = currentSession();
    const userId = user?.role === "sitter" ? user.id : undefined;
    if (openBusiness()?.store.userId !== userId) {
      await syncer?.stop();
      syncer = undefined;
      const closing = openBusiness();
      setOpenBusiness(undefined);
      await closing?.close();
      if (userId) setOpenBusiness(await OpenBusiness.open(userId));
    }
    const opened = openBusiness();
    if (opened && state === "signed_in") {
      syncer ??= new Syncer(opened);
      syncer.wake();
    }
    if (state === "needs_auth" && !isHeld() && waitingWork() === 0) {
      // SPEC 4, Session: nothing is in the way of signing in again, so that is what the person sees.
      void setSession(undefined).then(() => location.assign("/auth/login?message=session_expired"));
    }
    for (const listener of syncerListeners) listener();
  });
  return following;
}

/** Changes of the open business that the server does not have, or that need a word. */
function waitingWork(): number {
  const phone = openBusiness()?.phone;
  return phone ? phone.pendingCount() + phone.attentionCount() : 0;
}

export async function signIn(email: string, password: string): Promise<Result> {
  const errors = validateSignIn({ email, password });
  if (errors.length > 0) return { ok: false, error: { text: errors[0]?.text ?? "", fields: errors } };
  return enter(await call<Entered>("/auth/signin", { method: "POST", body: { email, password } }));
}

export async function signUp(fields: {
  name: string;
  email: string;
  password: string;
  time_zone: string;
}): Promise<Result> {
  return enter(await call<Entered>("/auth/signup", { method: "POST", body: fields }));
}

export async function forgotPassword(email: string): Promise<Result> {
  return said(await call("/auth/forgot-password", { method: "POST", body: { email } }));
}

export async function resetPassword(token: string, password: string): Promise<Result> {
  return said(await call("/auth/reset-password", { method: "POST", body: { token, password } }));
}

export async function changePassword(current_password: string, new_password: string): Promise<Result> {
  const body = { current_password, new_password };
  return said(await call("/auth/change-password", { method: "POST", token: sessionToken(), body }));
}

/**
 * Signs out. `send` sends first and stays signed in where that fails; `keep` leaves what waits on this phone for
 * the next sign-in; `discard` removes it. Walks are on this phone alone and stay in any case.
 */
export async function signOut(how: "send" | "keep" | "discard"): Promise<Result> {
  const { user } = currentSession();
  if (!user) return { ok: true };
  if (how === "send" && syncer && !(await syncer.flush())) {
    return { ok: false, error: { text: syncer.status.trouble ?? transportError(0, "") } };
  }
  const token = sessionToken();
  await setSession(undefined);
  await following;
  if (how === "discard") {
    const store = new Store(user.id);
    await store.discardUnsent();
    await store.close();
  }
  await leaveUserDb(user.id);
  // The phone is signed out in any case; the server forgets the token when it hears of it, or when it expires.
  if (token) await call("/auth/signout", { method: "POST", token });
  return { ok: true };
}

/** Deletes the account and everything of it, here and on the server. */
export async function deleteAccount(password: string): Promise<Result> {
  const { user } = currentSession();
  const answer = await call("/auth/account", { method: "DELETE", token: sessionToken(), body: { password } });
  if (answer.ok && user) {
    await setSession(undefined);
    await following;
    await deleteUserDb(user.id);
  }
  return said(answer);
}

interface Entered {
  token: string;
  user: SessionUser;
}

async function enter(answer: Answer<Entered>): Promise<Result> {
  if (answer.ok) {
    await setSession({ token: answer.value.token, user: answer.value.user, needs_auth: false });
    await following;
  }
  return said(answer);
}

function said(answer: Answer<unknown>): Result {
  if (answer.ok) return { ok: true };
  const { text } = answer.error;
  return { ok: false, error: { text, fields: fieldsOf(answer.error) } };
}

const fieldsOf = (error: ApiError): FieldError[] => (error.kind === "rejected" ? error.fields : []);

const syncerListeners = new Set<() => void>();
const IDLE: SyncStatus = { online: true, busy: false, updateRequired: false, trouble: undefined };

/** One part of how the sync of the open business stands. */
export function useSync<T>(read: (status: SyncStatus) => T): T {
  return useSyncExternalStore(subscribeToSync, () => read(syncer?.status ?? IDLE));
}

function subscribeToSync(listener: () => void): () => void {
  let leave = syncer?.subscribe(listener);
  const changed = () => {
    leave?.();
    leave = syncer?.subscribe(listener);
    listener();
  };
  syncerListeners.add(changed);
  return () => {
    syncerListeners.delete(changed);
    leave?.();
  };
}

/** Tries to send now; for the button of the screen that tells what waits. */
export const sendNow = (): void => syncer?.wake();
