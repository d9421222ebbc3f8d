/** Owns the end of an account. */
import { call } from "../server/api";
import { currentSession, sessionToken, setSession } from "../session/session";
import { databasesOf, forgetUser, userOnThisPhone } from "../session/sessionDb";
import { whileLeaving } from "../session/tabLocks";
import { deleteUserDb } from "../store/db";
import { dropMapTiles } from "../store/mapDatabase";
import { type Result, said, settled } from "./auth";
import { forgetDevice } from "./devices";

/** Deletes the account and everything of it, here and on the server. */
export async function deleteAccount(password: string): Promise<Result> {
  const { user } = currentSession();
  const answer = await call("/auth/account", { method: "DELETE", token: sessionToken(), body: { password } });
  if (answer.ok && user) {
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

/** Not the person's: that the app is installed, and what sign-ins of others were given. */
const OF_DEVICE = ["walkies-installed", "walkies-devices"];

async function forgetSettings(email: string): Promise<void> {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("walkies-") && !OF_DEVICE.includes(key)) localStorage.removeItem(key);
  }
  await forgetDevice(email);
}
