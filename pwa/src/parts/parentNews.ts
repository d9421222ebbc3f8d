/**
 * Owns what pet parents have set of home and pets that nobody has read on this device: to have read it is no change of
 * the business.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";
import type { ParentNews } from "../core";
import { useFirstReplica } from "../data";

/** By the client's id, until when all was read. */
const KEY = "walkies-parent-changes";
/** Most clients for whom this device remembers what was read. */
const MOST = 500;

const reads = new Listeners();

/** Other tabs read, too. */
function subscribe(listener: () => void): () => void {
  const leave = reads.subscribe(listener);
  addEventListener("storage", listener);
  return () => {
    leave();
    removeEventListener("storage", listener);
  };
}

const stored = (): string => localStorage.getItem(KEY) ?? "{}";

const readOf = (text: string): Record<string, string> => JSON.parse(text) as Record<string, string>;

/** Client by client, and only clients of whom there is something to read. */
export function useParentNews(): ParentNews[] {
  const read = readOf(useSyncExternalStore(subscribe, stored));
  const all = useFirstReplica((phone) => phone.parentNews(Date.now()));
  return all
    .map(({ client_id, changes }) => ({ client_id, changes: changes.filter((it) => it.at > (read[client_id] ?? "")) }))
    .filter((it) => it.changes.length > 0);
}

/** All that this client's parents have set until then was read. */
export function haveRead(clientId: string, until: string): void {
  const others = Object.entries(readOf(stored())).filter(([id]) => id !== clientId);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [clientId, until]].slice(-MOST))));
  reads.notify();
}
