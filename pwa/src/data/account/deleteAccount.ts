/** Owns the end of an account, and of one role of a person who has both. */
import { call } from "../server/api";
import { unmarkOwnPages } from "../session/ownPages";
import { currentSession, sessionToken, setSession, showUser } from "../session/session";
import { databasesOf, forgetUser, rolesOf, type SessionUser, userOnThisPhone } from "../session/sessionDb";
import { whileLeaving } from "../session/tabLocks";
import { deleteUserDb } from "../store/db";
import { dropMapTiles } from "../store/mapDatabase";
import { dropEndedRoles, type Result, said, settled } from "./auth";
import { forgetDevice } from "./devices";
import { refreshRoles } from "./roles";

/**
 * Deletes the account and everything of it, here and on the server; of a person with both roles the one that is shown, and
 * this tab shows the other one then.
 */
export async function deleteAccount(password: string): Promise<Result> {
  const { user } = currentSession();
  const answer = await call("/auth/account", { method: "DELETE", token: sessionToken(), body: { password } });
  // The other role may have been added on another device: then the one that ends is to be named.
  if (!answer.ok) await refreshRoles();
  const [other] = user ? rolesOf(user).filter((it) => it !== user.role) : [];
  if (answer.ok && user && other) await endRole(user, other);
  else if (answer.ok && user) {
    await whileLeaving(async () => {
      await setSession(undefined);
      await settled();
      for (const name of databasesOf((await userOnThisPhone(user.id)) ?? user)) await deleteUserDb(name);
      await (await import("../locked/locked")).discardBoxes(user.id);
      await forgetUser(user.id);
      await forgetSettings(user.email);
      // It lies around the homes of their clients.
      void dropMapTiles().catch(() => undefined);
    });
  }
  return said(answer);
}

/** Takes the role that is shown from this phone; `other` is left. */
async function endRole(user: SessionUser, other: SessionUser["role"]): Promise<void> {
  await whileLeaving(async () => {
    await showUser({ ...user, role: other, roles: [other] });
    await settled();
    await dropEndedRoles();
  });
  if (user.role === "client") return;
  unmarkOwnPages();
  // As above.
  void dropMapTiles().catch(() => undefined);
}

/** Not the person's: that the app is installed, and what sign-ins of others were given. */
const OF_DEVICE = ["walkies-installed", "walkies-devices"];

async function forgetSettings(email: string): Promise<void> {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("walkies-") && !OF_DEVICE.includes(key)) localStorage.removeItem(key);
  }
  await forgetDevice(email);
}
