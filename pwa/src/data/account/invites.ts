/** Owns the call by which a sitter invites a client to the portal; the server makes the code, so it needs a network. */
import type { InviteAnswer } from "../../core";
import { type Answer, call } from "../server/api";
import { sessionToken } from "../session/session";

export interface InviteOptions {
  /** Of an earlier answer: the same code again, so that what was sent with it stays good. */
  code?: string | undefined;
  /** The server mails it to the client's e-mail. */
  send_email?: boolean;
}

export const inviteClient = (clientId: string, options: InviteOptions = {}): Promise<Answer<InviteAnswer>> =>
  call(`/clients/${clientId}/invite`, { method: "POST", token: sessionToken(), body: options });
