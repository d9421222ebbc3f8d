/**
 * Owns signing in and out, and which business is open in this tab.
 * Signing out never loses unsent work silently: the person says what becomes of it.
 */

import { afterPaint } from "../../browser/afterPaint";
import { deviceText } from "../../browser/device";
import { silence } from "../../browser/notifications";
import {
  type FactorNeeded,
  type FieldError,
  limits,
  loadCore,
  type SignedIn,
  type SignInAnswer,
  transportError,
  validateSignIn,
} from "../../core";
import { flushDrafts } from "../business/drafts";
import { OpenBusiness, openBusiness, setOpenBusiness } from "../business/openBusiness";
import type { Opened, UserOnThisPhone } from "../locked/locked";
import { type Answer, type ApiError, call, request } from "../server/api";
import { canLock, makeLock, unlock } from "../session/lock";
import {
  confirmedAt,
  currentSession,
  loadSession,
  nothingIsLocked,
  onSession,
  type Session,
  sessionToken,
  setSession,
} from "../session/session";
import {
  changeUser,
  databasesOf,
  putUser,
  renewed,
  rolesOf,
  type SessionUser,
  userOnThisPhone,
  usersOnThisPhone,
} from "../session/sessionDb";
import {
  acquireOpenLock,
  afterLeaving,
  endWalkFirst,
  isReloadPreventedAnywhere,
  whileLeaving,
  withUserLock,
} from "../session/tabLocks";
import { databaseName, deleteUserDb, type Place, placeOf } from "../store/db";
import { Store } from "../store/store";
import { sendAll, startSyncing, stopSyncing, syncStatus } from "../sync/sync";
import { keepDevice, knownDevice } from "./devices";

export type Result = { ok: true } | { ok: false; error: { text: string; fields?: FieldError[] } };

/** The place that a pet parent has entered in this tab, with the user's id. */
let entered: { userId: string; place: Place } | undefined;

/** Tells other tabs that this one has let go of the open business. */
let releaseOpenLock: () => void = () => undefined;

const HOUR_MS = 3_600_000;

const SIGN_IN_TO_SEND = "Sign in again to send what waits, or keep it on this phone.";

/**
 * Reads the session and opens its business; the app shows a spinner until this resolves. `known` hears who is signed
 * in before the rows are read.
 */
export async function start(known: (session: Session) => void = () => undefined): Promise<void> {
  await loadSession();
  await endOverdue();
  known(currentSession());
  await followSession();
  onSession(() => void followSession());
  setInterval(() => void endOverdue(), HOUR_MS);
  document.addEventListener("visibilitychange", () => void endOverdue());
  // Who left in a hurry, as with a killed app, leaves now. Nobody waits for that, nor does what is shown first.
  void whileLeaving(async () => {
    await afterPaint();
    await leaveBehind();
  });
}

/** Asked for when somebody comes or goes: who opens the app need not wait for it. */
const lockedWork = () => import("../locked/locked");

/** Leaves everyone who is not signed in; what cannot be done now, as on a full phone, is tried at the next start. */
async function leaveBehind(): Promise<void> {
  try {
    const current = currentSession().user?.id;
    if (current === undefined) await silence();
    await dropEndedRoles();
    if ((await usersOnThisPhone()).every((it) => it.id === current)) return;
    await (await lockedWork()).leaveOthers();
  } catch {
    // No room, or no storage at all.
  }
}

/**
 * Takes from the phone what it has of a role that the signed-in person has no longer: it was deleted with the person's
 * password, here or on another device, and the server takes nothing for it any more.
 */
export async function dropEndedRoles(): Promise<void> {
  const { user } = currentSession();
  const known = user && (await userOnThisPhone(user.id));
  if (!known) return;
  const isOver = (name: string) => !rolesOf(user).includes(placeOf(name) ? "client" : "sitter");
  for (const name of databasesOf(known).filter(isOver)) {
    await deleteUserDb(name);
    await changeUser(user.id, ({ databases = [] }) => ({ databases: databases.filter((it) => it !== name) }));
  }
  if (!rolesOf(user).includes("client")) await changeUser(user.id, () => ({ sitters: [], left: [] }));
}

/** Everyone whose work is on this phone and who is not signed in, as it is when they have left. */
export const usersWithLocalWork = (): Promise<UserOnThisPhone[]> =>
  afterLeaving(async () => ((await usersOnThisPhone()).length > 0 ? (await lockedWork()).usersWithLocalWork() : []));

/** Ends a session that the server has turned down and that nobody has taken up within the offline grace. */
export async function endOverdue(): Promise<void> {
  if (currentSession().state !== "needs_auth" || (await isReloadPreventedAnywhere())) return;
  await loadCore();
  const overdue = Date.now() - (await confirmedAt()) > limits().offline_grace_days * 24 * HOUR_MS;
  if (overdue) await endSession();
}

/** Signs out a session that the server does not take any more, and says so. */
async function endSession(): Promise<void> {
  await flushDrafts();
  if (currentSession().state !== "needs_auth") return; // signed in again, perhaps in another tab
  await whileLeaving(async () => {
    await setSession(undefined);
    await following;
    await leaveBehind();
  });
}

/** Opens what the session says: the same in every tab. One change after the other. */
let following: Promise<void> = Promise.resolve();
function followSession(): Promise<void> {
  following = following
    .catch(() => undefined) // what failed once is tried again
    .then(async () => {
      const { state, user } = currentSession();
      if (user?.role !== "client") entered = undefined;
      const place = entered?.userId === user?.id ? entered?.place : undefined;
      const userId = user?.role === "sitter" || place ? user?.id : undefined;
      if (openBusiness()?.store.name !== (userId && databaseName(userId, place))) {
        await flushDrafts();
        await stopSyncing();
        const closing = openBusiness();
        setOpenBusiness(undefined);
        await closing?.close();
        releaseOpenLock();
        if (userId) {
          releaseOpenLock = acquireOpenLock(userId);
          setOpenBusiness(await OpenBusiness.open(userId, place));
        }
      }
      const opened = openBusiness();
      if (opened && state === "signed_in") startSyncing(opened);
      void endIdle();
    });
  return following;
}

/**
 * SPEC 4, Session: where nothing is in the way of signing in again, that is what the person sees. Without a network
 * nobody can, and the day's doors and addresses are needed: that they stay is said by the banner.
 */
async function endIdle(): Promise<void> {
  if (!(await isIdle()) || !(await isServerThere()) || !(await isIdle())) return;
  await endSession();
  if (!isSigningIn()) location.assign("/auth/login?message=session_expired");
}

const isIdle = async (): Promise<boolean> =>
  currentSession().state === "needs_auth" && waitingWork() === 0 && !(await isReloadPreventedAnywhere());

/** True if Walkies answers, so that somebody could sign in: not a hotel's page, and no server in trouble. */
async function isServerThere(): Promise<boolean> {
  const answer = await request("/auth/signup");
  return answer.ok || answer.error.kind === "rejected";
}

/** Who is about to sign in, join or set a password anew stays there. */
const isSigningIn = (): boolean => /^\/(auth\/|sitters\/join\b)/.test(location.pathname);

/** Resolves when what the session says is open, or closed. */
export const settled = (): Promise<void> => following;

/** Opens what a pet parent has of a sitter, in place of what is open in this tab; with nothing closes it. */
export function enterPlace(userId: string, place: Place | undefined): Promise<void> {
  entered = place && { userId, place };
  return followSession();
}

/** Changes of the open business that the server does not have. */
const unsentWork = (): number => openBusiness()?.phone.pendingCount() ?? 0;

/** The same, with those that need a word. */
const waitingWork = (): number => unsentWork() + (openBusiness()?.phone.attentionCount() ?? 0);

/** Signs in, or says what is asked for next. */
export async function signIn(email: string, password: string): Promise<Result & { next?: FactorNeeded }> {
  const errors = validateSignIn({ email, password });
  if (errors.length > 0) return { ok: false, error: { text: errors[0]?.text ?? "", fields: errors } };
  const body = { email, password, device: await knownDevice(email) };
  const answer = await call<SignInAnswer>("/auth/signin", { method: "POST", body });
  if (answer.ok && "challenge" in answer.value) return { ok: true, next: answer.value };
  return enter(answer as Answer<SignedIn>, password);
}

/** The second step: a code of the authenticator app, or a recovery code. The password opens what is locked here. */
export async function signInByFactor(
  { email, password }: { email: string; password: string },
  challenge: string,
  code: string,
): Promise<Result> {
  const body = { challenge, code, device: await knownDevice(email) };
  return enter(await call<SignedIn>("/auth/signin/factor", { method: "POST", body }), password);
}

export async function changePassword(current_password: string, new_password: string): Promise<Result> {
  const body = { current_password, new_password };
  const answer = await call("/auth/change-password", { method: "POST", token: sessionToken(), body });
  const { user } = currentSession();
  // It is another one, also where the lock stays as it is: what that locks asks for the password that it was made with.
  if (answer.ok && user) await renewLock(user, new_password).catch(() => undefined);
  return said(answer);
}

/**
 * Signs out. `send` sends first and stays signed in where that fails; `keep` leaves what waits on this phone, locked,
 * for the next sign-in; `discard` removes it. Walks and saved routes are on this phone alone and stay in any case.
 */
export async function signOut(how: "send" | "keep" | "discard"): Promise<Result> {
  const { user } = currentSession();
  if (!user) return { ok: true };
  const token = sessionToken();
  const place = openBusiness()?.store.place;
  if (how === "send" && !token && unsentWork() > 0) return { ok: false, error: { text: deviceText(SIGN_IN_TO_SEND) } };
  if (how === "send" && !(await sendAll())) {
    return { ok: false, error: { text: syncStatus().trouble ?? transportError(0, "") } };
  }
  await flushDrafts();
  await whileLeaving(async () => {
    await setSession(undefined);
    await following;
    if (how === "discard") await discardUnsent(user.id, place);
    await leaveBehind();
  });
  // The phone is signed out in any case; the server forgets the token when it hears of it, or when it expires.
  if (token) await call("/auth/signout", { method: "POST", token });
  return { ok: true };
}

/** In what is open; of another sitter's nothing was asked. */
async function discardUnsent(userId: string, place: Place | undefined): Promise<void> {
  const store = new Store(userId, place);
  await store.discardUnsent();
  await store.close();
}

/** Opens with an earlier password what has stayed locked, as far as it is the one. */
export async function unlockWork(password: string): Promise<Opened> {
  const { user } = currentSession();
  if (!user) return { opened: 0, left: 0 };
  const { openBoxes } = await lockedWork();
  const opened = await withUserLock(user.id, () => openBoxes(user.id, password));
  if (opened.left === 0) await nothingIsLocked();
  if (opened.opened > 0) await showPutBack();
  return opened;
}

/** Shows in every tab what has been put back. */
async function showPutBack(): Promise<void> {
  await openBusiness()?.putBack();
  for (const rows of ["walkies-walks", "walkies-routes"]) {
    const tabs = new BroadcastChannel(rows);
    tabs.postMessage("changed");
    tabs.close();
  }
}

/** Gives up what has stayed locked: a person has decided. */
export async function discardLockedWork(): Promise<void> {
  const { user } = currentSession();
  if (user) await (await lockedWork()).discardBoxes(user.id);
  await nothingIsLocked();
}

/** Lets somebody in; what waited for their password on this phone is put back before their business is opened. */
export async function enter(answer: Answer<SignedIn>, password?: string): Promise<Result> {
  if (answer.ok) {
    const { token, user, device } = answer.value;
    const current = currentSession().user?.id;
    if (current !== undefined && current !== user.id && (await isReloadPreventedAnywhere())) {
      // It would go on among the other one's walks.
      void call("/auth/signout", { method: "POST", token });
      return { ok: false, error: { text: endWalkFirst("somebody else signs in") } };
    }
    if (device) await keepDevice(user.email, device);
    // In one turn, so that nobody takes what was put back for work that was left behind.
    await withUserLock(user.id, async () => {
      const has_locked = !(await takeUp(user, password));
      await setSession({ token, user, needs_auth: false, confirmed_at: Date.now(), has_locked });
    });
    await following;
    // Who was here before, with an expired session, is not any more.
    await leaveBehind();
  }
  return said(answer);
}

/** Opens what is locked of who comes in and sees to it that there is a lock for the next time; whether all is open. */
async function takeUp(user: SessionUser, password: string | undefined): Promise<boolean> {
  const hasBoxes = (await userOnThisPhone(user.id).catch(() => undefined))?.has_boxes ?? false;
  // Whoever may come in comes in: what cannot be put back now, as on a full phone, waits in its box.
  try {
    if (password !== undefined) await renewLock(user, password);
    return !hasBoxes || (await (await lockedWork()).openBoxes(user.id, password)).left === 0;
  } catch {
    return !hasBoxes;
  }
}

/**
 * True if the work that the signed-in person leaves on this phone can be locked: their password was typed here once.
 */
export async function canLockWork(): Promise<boolean> {
  const { user } = currentSession();
  return user !== undefined && canLock() && (await userOnThisPhone(user.id))?.lock !== undefined;
}

/** From now on this password opens what is locked. What is locked already keeps the lock that it has. */
async function renewLock(user: SessionUser, password: string): Promise<void> {
  const known = await userOnThisPhone(user.id);
  if (!canLock() || (known?.lock && (await unlock(known.lock, password)))) return;
  const lock = await makeLock(password);
  await putUser({ ...renewed(known, user), lock });
}

export function said(answer: Answer<unknown>): Result {
  if (answer.ok) return { ok: true };
  const { text } = answer.error;
  return { ok: false, error: { text, fields: fieldsOf(answer.error) } };
}

const fieldsOf = (error: ApiError): FieldError[] => (error.kind === "rejected" ? error.fields : []);
