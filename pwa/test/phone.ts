/** Owns a phone for component tests: the real core on a real IndexedDB, filled as a pull would, with no network. */
import { vi } from "vitest";
import { cleanup } from "vitest-browser-react";
import {
  type AttentionEntry,
  type Batch,
  type Client,
  loadRest,
  newClient,
  newId,
  newOffering,
  newPet,
  type Offering,
  type Pet,
  type Reach,
  type Service,
  type WalkRequest,
} from "../src/core";
import { business, OpenBusiness, setOpenBusiness } from "../src/data/business/openBusiness";
import { setSession } from "../src/data/session/session";
import type { Place } from "../src/data/store/db";

/** A row of the feed: its table and itself. */
export type FeedRow = { t: string; d: { id: string } };

export const AT = "2026-01-01T00:00:00.000Z";

let closeOpen = () => Promise.resolve();

/** Opens a phone that has pulled these rows; without any it has seen nothing yet. With a place it is a pet parent's. */
export async function openPhone(
  rows: readonly FeedRow[] | "nothing pulled",
  attention: AttentionEntry[] = [],
  place?: Place,
): Promise<void> {
  // Screens are shown at once.
  await loadRest();
  const opened = await OpenBusiness.open(newId(), place);
  setOpenBusiness(opened);
  closeOpen = async () => {
    await opened.close();
    setOpenBusiness(undefined);
  };
  if (rows === "nothing pulled") return;
  await pull({ put: stored(rows), attention_put: attention });
}

const stored = (rows: readonly FeedRow[]): Batch["put"] =>
  rows.map(({ t, d }) => ({ key: `${t}/${d.id}`, text: JSON.stringify({ t, id: d.id, rev: 1, d }) }));

/** The next pull brings these rows. */
export const pullRows = (...rows: readonly FeedRow[]): Promise<void> => pull({ put: stored(rows) });

/** The next pull confirms all that waits, and brings these rows. */
export async function pullConfirmed(...rows: readonly FeedRow[]): Promise<void> {
  const waiting = business().phone.outbox();
  await pull({ put: stored(rows), outbox_remove: waiting.map((it) => it.mutation.seq) });
}

/** The next pull removes this row. */
export const pullRemoval = ({ t, d }: FeedRow): Promise<void> => pull({ delete: [`${t}/${d.id}`] });

/** The next pull says how the server reaches the clients. */
export const pullReach = (reach: Partial<Reach>): Promise<void> =>
  pull({}, { sends_mail: false, notified: [], ...reach });

async function pull(news: Partial<Batch>, reach?: Reach): Promise<void> {
  const { meta } = await business().store.load();
  const cursor = meta.cursor ?? 0;
  await business().apply({
    expect_cursor: cursor,
    expect_device_id: meta.device_id,
    expect_backend_id: meta.backend_id ?? null,
    clear: false,
    put: [],
    delete: [],
    outbox_remove: [],
    outbox_put: [],
    confirmed: [],
    attention_put: [],
    meta: { ...meta, cursor: cursor + 1, ...(reach && { reach }) },
    renumber: false,
    ...news,
  });
  business().pullCompleted();
}

export async function closePhone(): Promise<void> {
  // Screens before the phone that they read.
  await cleanup();
  await closeOpen();
  closeOpen = () => Promise.resolve();
}

/** From now on there is no room for what is saved. */
export const fillThisDisk = () =>
  vi.spyOn(business().store, "append").mockRejectedValue(new DOMException("full", "QuotaExceededError"));

/** The sitter whose phone is open has a session; with `needs_auth` the server wants the password anew. */
export const signInOnPhone = (needs_auth = false): Promise<void> =>
  setSession({
    token: "token",
    user: { id: business().store.userId, email: "mara@example.com", name: "Mara", role: "sitter", sitter_id: newId() },
    needs_auth,
  });

/** Returns the saved commands that wait, oldest first. */
export const saved = () =>
  business()
    .phone.outbox()
    .map(({ mutation }) => ({ name: mutation.name, args: mutation.args }));

export const aClient = (change: Partial<Client> = {}): Client => ({ ...newClient(newId()), created_at: AT, ...change });

export const aPet = (client: Client, change: Partial<Pet> = {}): Pet => ({ ...newPet(newId(), client.id), ...change });

export const anOffering = (change: Partial<Offering> = {}): Offering => ({
  ...newOffering(newId()),
  created_at: AT,
  ...change,
});

/** Asks for half an hour's walk with the pets at nine of a day that is not over for long, and waits. */
export const aRequest = (client: Client, pets: readonly Pet[], change: Partial<WalkRequest> = {}): WalkRequest => ({
  id: newId(),
  client_id: client.id,
  status: "pending",
  requested_date: "2199-01-01",
  requested_start_time: "09:00",
  requested_duration_minutes: 30,
  service_type: "walk",
  dog_ids: pets.map((it) => it.id),
  message: "",
  estimated_price: 25,
  created_at: AT,
  ...change,
});

export const FRIDAY = "2026-11-20";

/** A walk of half an hour at eleven on that day. */
export const aService = (client: Client, pet: Pet, change: Partial<Service> = {}): Service => ({
  id: newId(),
  client_id: client.id,
  client_name: client.name,
  dog_ids: [pet.id],
  dogs: [pet.name],
  service_type: "walk",
  date: FRIDAY,
  start_time: "11:00",
  duration_minutes: 30,
  status: "scheduled",
  price: 25,
  pricing_breakdown: {
    baseDogPrice: 25,
    additionalDogsCount: 0,
    additionalDogsCharge: 0,
    total: 25,
    explanation: "$25.00 for 1 dog",
  },
  paid: false,
  created_at: AT,
  ...change,
});

export const rowsOf = (client: Client, ...pets: Pet[]): FeedRow[] => [
  { t: "client", d: client },
  ...pets.map((d) => ({ t: "pet", d })),
];

/** A picture as a camera or a screenshot gives it. */
export async function aPicture(name: string): Promise<File> {
  const canvas = new OffscreenCanvas(60, 40);
  canvas.getContext("2d")?.fillRect(0, 0, 30, 40);
  return new File([await canvas.convertToBlob({ type: "image/png" })], name, { type: "image/png" });
}
