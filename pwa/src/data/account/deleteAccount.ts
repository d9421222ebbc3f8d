/** Owns the end of an account. */
import { call } from "../server/api";
import { currentSession, sessionToken, setSession } from "../session/session";
import { databasesOf, forgetUser, userOnThisPhone } from "../session/sessionDb";
import { whileLeaving } from "../session/tabLocks";
import { deleteUserDb } from "../store/db";
import { type Result, said, settled } from "./auth";

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
    });
  }
  return said(answer);
}
