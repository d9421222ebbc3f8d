/** Owns ids that stand in addresses, which a person may have mistyped or a mail may have broken. */

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Id of nothing at all. */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Returns the id in a part of an address, `NO_ID` in place of a malformed one: screens treat both as unknown ids. */
export function addressId(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  return ID.test(text) ? text : NO_ID;
}
