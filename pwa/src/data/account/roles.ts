/**
 * Owns the two roles of a person: a sitter who is a pet parent, too. They have one email, one password and one session; each
 * has databases of its own on this phone, and a tab shows one of them.
 */
import { useEffect, useState } from "react";
import { deviceText } from "../../browser/device";
import type { SessionUser as UserOnServer } from "../../core";
import { type CallOptions, call } from "../server/api";
import { currentSession, sessionToken, showUser, useSession } from "../session/session";
import { databasesOf, hasBothRoles, type Role, type SessionUser, userOnThisPhone } from "../session/sessionDb";
import { endWalkFirst, isReloadPrevented } from "../session/tabLocks";
import { openUserDb, placeOf, storedName } from "../store/db";
import { syncStatus } from "../sync/sync";
import { type Result, said } from "./auth";

/** Counts of the changes of a role that wait on this phone. */
export interface RoleStanding {
  /** Changes that are not sent. */
  pending: number;
  /** Changes that need a person. */
  attention: number;
  /** True if there is something of the role to show without a connection. */
  isHere: boolean;
}

const other = ({ role }: SessionUser): Role => (role === "sitter" ? "client" : "sitter");

/** The role that this tab could show instead; nothing for a person who has one. */
export function useOtherRole(): Role | undefined {
  const { user } = useSession();
  return user && hasBothRoles(user) ? other(user) : undefined;
}

/** Returns the counts of the role that is not shown, as they were when the caller was first drawn. */
export function useOtherStanding(): RoleStanding | undefined {
  const role = useOtherRole();
  const [standing, setStanding] = useState<RoleStanding>();
  useEffect(() => {
    let current = true;
    setStanding(undefined);
    // A number beside a button and no more: without it the button still works.
    if (role)
      void standingOf(role).then(
        (it) => current && setStanding(it),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [role]);
  return standing;
}

/** Counts what waits in a role on the disk, whether or not it is shown. */
async function standingOf(role: Role): Promise<RoleStanding> {
  const { user } = currentSession();
  const known = user && (await userOnThisPhone(user.id));
  const standing: RoleStanding = { pending: 0, attention: 0, isHere: false };
  const there = new Set((await indexedDB.databases()).map((it) => it.name));
  for (const name of known ? databasesOf(known) : []) {
    if ((placeOf(name) ? "client" : "sitter") !== role) continue;
    // To open one that is not on this phone would begin it.
    if (!there.has(storedName(name))) continue;
    const db = await openUserDb(name, () => undefined);
    try {
      const tx = db.transaction(["meta", "outbox", "attention"]);
      const [meta, pending, attention] = await Promise.all([
        tx.objectStore("meta").get("meta"),
        tx.objectStore("outbox").count(),
        tx.objectStore("attention").count(),
      ]);
      standing.pending += pending;
      standing.attention += attention;
      standing.isHere ||= (meta?.cursor ?? 0) > 0;
    } finally {
      db.close();
    }
  }
  return standing;
}

const NOT_HERE: Record<Role, string> = {
  sitter: "Your business is not on this phone yet.",
  client: "Your pets' visits are not on this phone yet.",
};

/** Checks that this tab can show the role now: the counts of the one that it leaves, or the reason against it. */
export async function mayShow(role: Role): Promise<Result & { left?: RoleStanding }> {
  if (isReloadPrevented()) return { ok: false, error: { text: endWalkFirst("you switch") } };
  const mustSignIn = currentSession().state === "needs_auth";
  const isReachable = navigator.onLine && syncStatus().online && !mustSignIn;
  if (!isReachable && !(await standingOf(role)).isHere) {
    const way = mustSignIn ? "Sign in again to switch." : "You need a connection to switch.";
    return { ok: false, error: { text: deviceText(`${NOT_HERE[role]} ${way}`) } };
  }
  return { ok: true, left: await standingOf(role === "sitter" ? "client" : "sitter") };
}

/** Gives the person a role beside the one that is shown; the time zone is a business's. */
export function addRole(role: Role, business: { time_zone?: string; invitation?: string } = {}): Promise<Result> {
  return ask("POST", "/auth/roles", { role, ...business });
}

/**
 * Asks the server which roles the person has: one may have been added on another device. What fails, the phone's storage
 * too, is nothing that somebody waits for: it is asked again the next time.
 */
export async function refreshRoles(): Promise<void> {
  if (sessionToken() === undefined || !syncStatus().online) return;
  await ask("GET", "/auth/user").catch(() => undefined);
}

async function ask(method: CallOptions["method"], path: string, body?: unknown): Promise<Result> {
  const answer = await call<UserOnServer>(path, { method: method ?? "GET", token: sessionToken(), body });
  if (answer.ok) await showUser(answer.value);
  return said(answer);
}
