/** Owns the businesses that are measured: one with 300 clients and 10,000 services around today, and one that was busy for two years; the same each time. */
import type { SignIn } from "../e2e/support/api";
import { day } from "../e2e/support/day";

export const CLIENTS = 300;
const SERVICES = 10_000;
/** Ten services a day from 9 AM on, half of the days behind and half ahead of today. */
const PER_DAY = 10;
const PER_PUSH = 50;
/** Invoices in the long-running business: what a sitter shares in years. */
export const INVOICES = 1000;

let ids = 0;
/** The same ids in each run, so that nothing hangs on how they happen to sort. */
function nextId(): string {
  ids += 1;
  return `019aa000-0000-7000-8000-${ids.toString(16).padStart(12, "0")}`;
}

interface Sent {
  name: string;
  args: unknown;
}

/** Everything that a phone would have sent over the years. */
function commands(): Sent[] {
  const made: Sent[] = [];
  const clients = Array.from({ length: CLIENTS }, (_, n) => {
    const [id, dog] = [nextId(), nextId()];
    made.push({
      name: "create_client",
      args: {
        id,
        client: {
          name: `Client ${String(n).padStart(3, "0")}`,
          phone: "(555) 010-4477",
          email: `client${n}@example.com`,
          address: `${n} Alder Street, Springfield`,
          access_notes: "The key hangs behind the blue door, the alarm wants 2244",
        },
        dogs: [{ id: dog, changes: { name: `Dog ${n}`, breed: "Beagle", about: "Pulls; no chicken, ever" } }],
      },
    });
    return { id, dog };
  });
  for (let n = 0; n < SERVICES; n += 1) {
    const fromToday = Math.floor(n / PER_DAY) - SERVICES / PER_DAY / 2;
    const client = clients[(n * 7) % CLIENTS];
    const service = {
      client_id: client?.id,
      dog_ids: [client?.dog],
      service_type: "walk",
      date: day(fromToday),
      start_time: `${String(9 + (n % PER_DAY)).padStart(2, "0")}:00`,
      duration_minutes: 30,
      internal_notes: "Back gate; he waits in the kitchen",
    };
    made.push(
      fromToday < 0
        ? { name: "record_service", args: { id: nextId(), service } }
        : { name: "schedule_service", args: { id: nextId(), service, overlap_ok: true } },
    );
  }
  return made;
}

/** Two years behind today, of as many services each, for clients who live apart. */
export const SERVICES_OF_A_YEAR = 10_000;

function twoYears(): Sent[] {
  const made: Sent[] = [];
  const clients = Array.from({ length: 60 }, (_, n) => ({ id: nextId(), dog: nextId(), name: `Client ${n}` }));
  for (const [n, { id, dog, name }] of clients.entries()) {
    const client = { name, phone: "(555) 010-4477", lat: 60.1 + n / 1000, lng: 24.9 };
    made.push({ name: "create_client", args: { id, client, dogs: [{ id: dog, changes: { name: `Dog ${n}` } }] } });
  }
  const services = 2 * SERVICES_OF_A_YEAR;
  for (let n = 0; n < services; n += 1) {
    const client = clients[n % clients.length];
    const slot = 6 * 60 + (n % 28) * 30;
    const service = {
      client_id: client?.id,
      dog_ids: [client?.dog],
      service_type: "walk",
      date: day(Math.floor((n * 730) / services) - 729),
      start_time: `${String(Math.floor(slot / 60)).padStart(2, "0")}:${String(slot % 60).padStart(2, "0")}`,
      duration_minutes: 30,
      internal_notes: "Back gate; he waits in the kitchen",
    };
    made.push({ name: "record_service", args: { id: nextId(), service } });
  }
  return made;
}

/** How much a client's invoice has that is billed for months at once. */
export const SERVICES_OF_ONE = 100;

/** So many clients of whom each owes `SERVICES_OF_ONE` walks, for as many invoices. */
export async function fillDebtors(origin: string, { email, password }: SignIn, n_clients: number): Promise<string[]> {
  const { token } = await callOf(origin)<{ token: string }>("POST", "/auth/signin", { email, password });
  const made: Sent[] = [];
  const clients = Array.from({ length: n_clients }, (_, n) => ({ id: nextId(), dog: nextId(), name: `Debtor ${n}` }));
  for (const { id, dog, name } of clients) {
    const dogs = [{ id: dog, changes: { name: `Dog of ${name}` } }];
    made.push({ name: "create_client", args: { id, client: { name, phone: "(555) 010-4477" }, dogs } });
    for (let n = 0; n < SERVICES_OF_ONE; n += 1) {
      const date = day(-1 - Math.floor(n / 2));
      const start_time = n % 2 === 0 ? "06:00" : "20:00";
      const service = { client_id: id, dog_ids: [dog], service_type: "walk", date, start_time, duration_minutes: 30 };
      made.push({ name: "record_service", args: { id: nextId(), service } });
    }
  }
  await send(callOf(origin, token), made);
  return clients.map((it) => it.id);
}

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** Signs a sitter up and sends all of it through the door that phones use. */
export const fillBusiness = (origin: string, who: SignIn, time_zone: string, invitation: string): Promise<void> =>
  fill(origin, { ...who, time_zone, invitation }, commands());

/** The same with two busy years. */
export const fillTwoYears = (origin: string, who: SignIn, time_zone: string, invitation: string): Promise<void> =>
  fill(origin, { ...who, time_zone, invitation }, twoYears());

async function fill(origin: string, who: object, made: readonly Sent[]): Promise<void> {
  const { token } = await callOf(origin)<{ token: string }>("POST", "/auth/signup", who);
  await send(callOf(origin, token), made);
}

/** Bills what was done, `INVOICES` times, each of up to five visits of one client. */
export async function fillInvoices(origin: string, { email, password }: SignIn): Promise<void> {
  const { token } = await callOf(origin)<{ token: string }>("POST", "/auth/signin", { email, password });
  const call = callOf(origin, token);
  const today = day(0);
  const all = await call<{ id: string; client_id: string; date: string }[]>("GET", "/scheduled-services");
  const byClient = new Map<string, string[]>();
  for (const { id, client_id } of all.filter((it) => it.date < today)) {
    byClient.set(client_id, [...(byClient.get(client_id) ?? []), id]);
  }
  const made: Sent[] = [];
  for (const [client_id, services] of byClient) {
    for (let from = 0; from < services.length; from += 5) {
      made.push({
        name: "share_invoice",
        args: { id: nextId(), client_id, services: services.slice(from, from + 5) },
      });
    }
  }
  if (made.length < INVOICES) throw new Error(`There is work for ${made.length} invoices alone.`);
  await send(call, made.slice(0, INVOICES));
}

const callOf =
  (origin: string, token?: string): Call =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };

/** As a phone of its own. */
async function send(call: Call, made: readonly Sent[]): Promise<void> {
  const device_id = nextId();
  const made_at = new Date().toISOString();
  const all = made.map((it, n) => ({ id: nextId(), seq: n + 1, v: 1, made_at, base_rev: 0, ...it }));
  for (let from = 0; from < all.length; from += PER_PUSH) {
    const mutations = all.slice(from, from + PER_PUSH);
    const { results } = await call<{ results: { outcome: string; refusal?: unknown }[] }>("POST", "/sync/push", {
      device_id,
      schema: 1,
      mutations,
    });
    const refused = results.find((it) => it.outcome !== "applied" && it.outcome !== "adjusted");
    if (refused || results.length !== mutations.length) throw new Error(JSON.stringify(refused ?? "not all decided"));
  }
}
