/** Owns routes that were saved on this phone, to be taken again. They are nowhere else. */

import { useEffect, useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import type { GeneratedRoute } from "../../core";
import { business, type OpenBusiness, openBusiness } from "../business/openBusiness";

/** Stored on phones. Only add optional fields; never rename. */
export interface SavedRoute {
  id: string;
  /** The person's name for it. */
  name: string;
  /** Whose dogs it is for; none for one from anywhere. */
  client_id: string | null;
  /** Its start, in words. */
  from: string;
  route: GeneratedRoute;
  saved_at: number;
}

let routes: readonly SavedRoute[] | undefined;
let readFrom: OpenBusiness | undefined;
const changes = new Listeners();
// One that was saved or deleted in another tab.
const tabs = new BroadcastChannel("walkies-routes");
tabs.onmessage = () => void read();

async function read(): Promise<void> {
  const from = openBusiness();
  if (!from) return;
  const rows = (await from.store.run((db) => db.getAll("routes"))) as unknown as SavedRoute[];
  readFrom = from;
  routes = rows.toSorted((a, b) => b.saved_at - a.saved_at);
  changes.notify();
}

async function refresh(): Promise<void> {
  await read();
  tabs.postMessage("changed");
}

/** Keeps a route; it is on the disk when this resolves. */
export async function saveRoute(route: SavedRoute): Promise<void> {
  await business().store.run(async (db) => {
    const tx = db.transaction("routes", "readwrite", { durability: "strict" });
    await Promise.all([tx.store.put({ ...route }), tx.done]);
  });
  await refresh();
}

/** Forgets a route; `saveRoute` takes that back. */
export async function deleteRoute(id: string): Promise<void> {
  await business().store.run((db) => db.delete("routes", id));
  await refresh();
}

/** All saved routes, the newest first; `undefined` until the disk was asked. */
export function useSavedRoutes(): readonly SavedRoute[] | undefined {
  const from = openBusiness();
  useEffect(() => {
    if (from && readFrom !== from) void read();
  }, [from]);
  const known = useSyncExternalStore(changes.subscribe, () => routes);
  return readFrom === from ? known : undefined;
}
