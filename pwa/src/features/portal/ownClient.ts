/** Owns what a pet parent's screens know of the person: the own record at the sitter that is shown, and the pets. */
import type { ClientCard, Sitter } from "../../core";
import { business, useReplica } from "../../data";

/** The person's record at the sitter whose rows are open. */
export const ownClientId = (): string => business().store.place?.client_id ?? "";

/** It with the pets; absent before the first pull. */
export const useOwnCard = (): ClientCard | undefined =>
  useReplica((phone) => (ownClientId() ? phone.client(ownClientId()) : undefined));

/** Returns the name by which clients know a business. */
export const shownName = ({ name, business_name }: Pick<Sitter, "name" | "business_name">): string =>
  business_name || name;

export const useSitterName = (): string =>
  useReplica((phone) => {
    const sitter = phone.sitter();
    return sitter ? shownName(sitter) : "Your sitter";
  });
