/**
 * Owns fetching the visits of today while a first pull is under way, to be read until the rest is there. They are neither
 * stored nor part of the replica: nothing can be decided on a part of the rows.
 */
import { type Client, type DayPlan, type FirstPhone, loadCore, newId, type Pet, Phone, plusDays } from "../../core";
import { call } from "../server/api";
import { sessionToken } from "../session/session";

/** Visits of two days; who has more waits for the rest, since a part of a day would look like all of it. */
const MOST_VISITS = 100;
/** Clients whose addresses are fetched; those of more are in the rest. */
const MOST_CLIENTS = 20;

type Row = { id: string };

/**
 * Fetches today's visits; `undefined` where the server does not answer, there are too many, or the business is in another
 * time zone than this device, which does not know that zone's rules yet.
 */
export async function fetchFirstDay(signal: AbortSignal): Promise<DayPlan | undefined> {
  const token = sessionToken("sitter");
  if (token === undefined) return undefined;
  await loadCore();
  const now = new Date();
  const today = now.toLocaleDateString("sv-SE");
  const ask = async <T>(path: string): Promise<T | undefined> => {
    const answer = await call<T>(path, { token, signal });
    return answer.ok ? answer.value : undefined;
  };
  // What began last night reaches into today.
  const days = `date_start=${plusDays(today, -1)}&date_end=${today}&limit=${MOST_VISITS}`;
  const [sitter, services] = await Promise.all([
    ask<Row & { time_zone: string }>("/sitters/profile"),
    ask<(Row & { client_id: string })[]>(`/scheduled-services?${days}`),
  ]);
  const isComplete = services && services.length < MOST_VISITS;
  const isHere = sitter?.time_zone === new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!sitter || !isComplete || !isHere) return undefined;
  const ids = [...new Set(services.map((it) => it.client_id))].slice(0, MOST_CLIENTS);
  const found = await Promise.all(ids.map((id) => ask<Client & { dogs: Pet[] }>(`/clients/${id}`)));
  const clients = found.filter((it) => it !== undefined);
  const rows = [
    lineOf("sitter", sitter),
    ...services.map((it) => lineOf("service", it)),
    ...clients.map((it) => lineOf("client", it)),
    ...clients.flatMap((it) => it.dogs.map((pet) => lineOf("pet", pet))),
  ];
  return planOf(rows, today, now);
}

/** A row as it lies on the disk. */
const lineOf = (t: string, d: Row): string => `${t}/${d.id} ${JSON.stringify({ t, id: d.id, rev: 0, d })}`;

/** Reads the plan from rows that no replica has. */
function planOf(rows: readonly string[], today: string, now: Date): DayPlan {
  const meta = { device_id: newId(), client_id: null, cursor: 0, epoch: null, backend_id: null, rev_id: null };
  const rest = { min_schema: 0, zone: null, verify: false, seq: 0 };
  const phone: FirstPhone = new Phone({ ...meta, ...rest }, [new TextEncoder().encode(rows.join("\n"))], "[]", "[]");
  try {
    // Without a zone a replica reads clocks as UTC: it is given this device's own clock as that.
    const plan = phone.dayPlan(today, now.getTime() - now.getTimezoneOffset() * 60_000);
    // Moments that the server has noted would be read as UTC, too, and what is overdue from before is in the rest.
    return { ...plan, left_open: null, visits: plan.visits.map((it) => ({ ...it, done_at: null })) };
  } finally {
    phone.free();
  }
}
