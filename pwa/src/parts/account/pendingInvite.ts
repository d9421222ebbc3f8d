/**
 * Owns the invitation that somebody has opened and not followed yet: kept for this tab until it ends, so that whoever signs
 * in, or goes to their mail for a code, or for a new password, is linked when they come back.
 */
const KEY = "walkies-invite";

export interface PendingInvite {
  client_id: string;
  code: string;
}

/** The one that an address carries. */
export function inviteIn(query: URLSearchParams): PendingInvite | undefined {
  const client_id = query.get("client_id");
  const code = query.get("code");
  return client_id && code ? { client_id, code } : undefined;
}

/** The address that an invitation is opened by. */
export const addressOf = ({ client_id, code }: PendingInvite): string =>
  `/client?${new URLSearchParams({ client_id, code })}`;

export function pendingInvite(): PendingInvite | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as PendingInvite | null) ?? undefined;
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

/** Keeps it, or forgets the last one. */
export function keepInvite(invite: PendingInvite | undefined): void {
  try {
    if (invite) sessionStorage.setItem(KEY, JSON.stringify(invite));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Then the address has to do.
  }
}
