/** Owns the database of who is signed in on this phone, and of whom there is something on it. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { SitterOfClient, SessionUser as UserOnServer } from "../../core";
import type { LiveMapEnd } from "../walks/liveMapEnd";
import type { Lock } from "./lock";

export type Role = UserOnServer["role"];

/** The account that is signed in; without its roles where an earlier version of the app has stored it. */
export type SessionUser = Omit<UserOnServer, "roles"> & Partial<Pick<UserOnServer, "roles">>;

/** All roles of a person. */
export const rolesOf = (user: SessionUser): readonly Role[] => user.roles ?? [user.role];

/** True for a sitter who is a pet parent, too. */
export const hasBothRoles = (user: SessionUser): boolean => rolesOf(user).length > 1;

/** Who is signed in on this phone. */
export interface StoredSession {
  token: string;
  user: SessionUser;
  /** The server has turned the token down: work goes on, sending waits for the password. */
  needs_auth: boolean;
  /** When the server last took the token, in milliseconds since 1970. */
  confirmed_at?: number;
  /** There is work of this person on the phone that is locked with an earlier password. */
  has_locked?: boolean;
}

/** Someone of whom there is something on this phone. */
export interface StoredUser extends SessionUser {
  /** Locks what they leave behind; absent where no password was ever typed here. */
  lock?: Lock;
  /** Something of them is locked; see `locked.ts`. */
  has_boxes?: boolean;
  /** The sitters whose client a pet parent is, as the server said last. */
  sitters?: SitterOfClient[];
  /** Former sitters of whom the person has not been told yet. */
  left?: SitterOfClient[];
  /** Names of their databases that are on this phone, where they have more than one; see `databaseName`. */
  databases?: string[];
  /** Ends of live maps that the server may not know, of walks that are not on this phone any more. */
  live_map_ends?: readonly LiveMapEnd[];
}

interface SessionDb extends DBSchema {
  session: { key: "session"; value: StoredSession };
  users: { key: string; value: StoredUser };
}

// In IndexedDB and not in localStorage, since the service worker needs it and cannot read the latter.
async function withSessionDb<T>(work: (db: IDBPDatabase<SessionDb>) => Promise<T>): Promise<T> {
  const db = await openDB<SessionDb>("walkies-session", 1, {
    upgrade(db) {
      db.createObjectStore("session");
      db.createObjectStore("users", { keyPath: "id" });
    },
  });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

export const readSession = (): Promise<StoredSession | undefined> =>
  withSessionDb((db) => db.get("session", "session"));

export async function writeSession(session: StoredSession | undefined): Promise<void> {
  await withSessionDb(async (db) => {
    if (!session) return db.delete("session", "session");
    const tx = db.transaction(["session", "users"], "readwrite");
    const users = tx.objectStore("users");
    await tx.objectStore("session").put(session, "session");
    await users.put(renewed(await users.get(session.user.id), session.user));
    await tx.done;
  });
}

/**
 * Returns what is noted of somebody, with the account as the server has it now. The database of a business that has ended
 * is noted until it is gone, too.
 */
export function renewed(known: StoredUser | undefined, user: SessionUser): StoredUser {
  const hasEnded = known && rolesOf(known).includes("sitter") && !rolesOf(user).includes("sitter");
  if (!hasEnded) return { ...known, ...user };
  return { ...known, ...user, databases: [...new Set([...(known.databases ?? []), user.id])] };
}

/** Notes something of the session with this token; nothing where it has ended or another one has begun. */
export const changeSession = (token: string, changes: Partial<StoredSession>): Promise<StoredSession | undefined> =>
  withSessionDb(async (db) => {
    const tx = db.transaction("session", "readwrite");
    const found = await tx.store.get("session");
    const changed = found?.token === token ? { ...found, ...changes } : undefined;
    if (changed) await tx.store.put(changed, "session");
    await tx.done;
    return changed;
  });

/** Everyone of whom there is something on this phone. */
export const usersOnThisPhone = (): Promise<StoredUser[]> => withSessionDb((db) => db.getAll("users"));

export const userOnThisPhone = (id: string): Promise<StoredUser | undefined> =>
  withSessionDb((db) => db.get("users", id));

/** Notes something of somebody of whom there is something on this phone. */
export const changeUser = (id: string, change: (user: StoredUser) => Partial<StoredUser>): Promise<void> =>
  withSessionDb(async (db) => {
    const tx = db.transaction("users", "readwrite");
    const user = await tx.store.get(id);
    if (user) await tx.store.put({ ...user, ...change(user) });
    await tx.done;
  });

/** Notes the account as the server has it now, of somebody of whom there is something on this phone. */
export const renewUser = (user: SessionUser): Promise<void> => changeUser(user.id, (known) => renewed(known, user));

/** A sitter has one database, a pet parent one for each sitter. */
export const databasesOf = (user: StoredUser): string[] => [
  ...new Set([...(rolesOf(user).includes("sitter") ? [user.id] : []), ...(user.databases ?? [])]),
];

export const putUser = (user: StoredUser): Promise<unknown> => withSessionDb((db) => db.put("users", user));

export const forgetUser = (id: string): Promise<void> => withSessionDb((db) => db.delete("users", id));
