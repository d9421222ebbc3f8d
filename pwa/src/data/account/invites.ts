/** Owns the call by which a sitter invites a client to the portal; the server makes the code, so it needs a network. */
import type { InviteAnswer } from "../../core";
import { type Answer, call } from "../server/api";
import { sessionToken } from "../session/session";

/**
 * The last code of each client: text, mail and QR code have the same link, and looking again makes no other code, of which
 * a client has few. Also among what goes when its person leaves (`data/locked/locked.ts`).
 */
const KEY = "walkies-invites";
/** Most clients whose codes are kept; with more, the oldest code is made anew. */
const MOST = 200;

const codes = (): [clientId: string, code: string][] =>
  JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, string][];

function keep(clientId: string, code: string): void {
  const others = codes().filter(([id]) => id !== clientId);
  localStorage.setItem(KEY, JSON.stringify([...others, [clientId, code]].slice(-MOST)));
}

/** An invitation, mailed to the client's e-mail where that is wanted: the last one while it is good, else a new one. */
export async function inviteClient(clientId: string, send_email: boolean): Promise<Answer<InviteAnswer>> {
  const code = codes().find(([id]) => id === clientId)?.[1];
  const options = { method: "POST", token: sessionToken(), body: { code, send_email } } as const;
  const answer = await call<InviteAnswer>(`/clients/${clientId}/invite`, options);
  if (answer.ok) keep(clientId, answer.value.code);
  return answer;
}
