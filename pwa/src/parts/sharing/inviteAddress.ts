/** Owns where an invitation to the portal is made: in the address, above the list or a client's page. */

/** Names whom to invite. */
export const INVITE = "invite";

/** At `path`, or at the client's page. */
export const inviteAddress = (clientId: string, path = `/clients/${clientId}`): string =>
  `${path}?${INVITE}=${clientId}`;
