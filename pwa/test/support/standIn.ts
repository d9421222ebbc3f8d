/**
 * Owns what a stand-in for the server knows of one sitter's business, and how it answers what a phone asks of it: with the
 * server's rules for order, repeats, other histories and the feed. What a command does is cut down to what the tests send.
 * `e2e/stand-in.spec.ts` holds each answer against the real server's.
 */
import {
  type Command,
  newClient,
  newId,
  newOffering,
  newPet,
  type Offering,
  type Outcome,
  type PushRequest,
  type PushResponse,
  type Refusal,
} from "../../src/core";

const AT = "2026-01-01T00:00:00.000Z";
const EPOCH = 1;
const MIN_SCHEMA = 1;

/** Rows, tombstones and outcomes in a page of the feed, unless a test wants smaller ones. */
export const PAGE_SIZE = 1000;

interface FeedRow {
  /** Name of the row's table. */
  t: string;
  id: string;
  rev: number;
  del?: true;
  /** The row; absent when it is gone. */
  d?: object;
}

/** All that the server knows of one sitter's business. */
export interface SitterRecords {
  rev: number;
  /** By table and id. */
  feed: Map<string, FeedRow>;
  /** By the mutation's id. */
  decided: Map<string, { device_id: string; asked: string; outcome: Outcome }>;
  /** The last `seq` of each device. */
  last_seq: Map<string, number>;
  photos: Set<string>;
  videos: Map<string, { size_bytes: number; pieces: Blob[] }>;
  /** The database's name as this business's phones are told it, if it differs from the one that all are told. */
  backend_id: string | undefined;
}

/** The records of somebody who has just signed up, at this revision. */
export const newRecords = (rev = 0): SitterRecords => ({
  rev,
  feed: new Map(),
  decided: new Map(),
  last_seq: new Map(),
  photos: new Set(),
  videos: new Map(),
  backend_id: undefined,
});

/** The answer to `POST /sync/push`, or that an id has come with another command before, which is answered with 422. */
export function push(
  records: SitterRecords,
  request: PushRequest,
  backendId: string,
): PushResponse | { code: "key_reused" } {
  const results: Outcome[] = [];
  const { device_id, backend_id, mutations } = request;
  for (const { id, seq, name, args } of mutations) {
    if (backend_id != null && backend_id !== (records.backend_id ?? backendId)) {
      return { results, stopped_at: id, stopped: "other_server" };
    }
    const last = records.last_seq.get(device_id) ?? 0;
    const asked = JSON.stringify([name, args]);
    const known = records.decided.get(id);
    if (known && known.asked !== asked) return { code: "key_reused" };
    if (!known && seq > last + 1 && backend_id != null) {
      records.backend_id = newId();
      return { results, stopped_at: id, stopped: "other_server" };
    }
    if (!known && seq !== last + 1) return { results, stopped_at: id, stopped: "out_of_order" };
    if (seq === last + 1) records.last_seq.set(device_id, seq);
    if (known) {
      results.push(known.outcome);
      continue;
    }
    const { refusal } = decide(records, { name, args } as Command);
    // As the server sends it: what there is none of is left out, which the type does not say.
    const outcome = {
      id,
      outcome: refusal ? "rejected" : "applied",
      rev: records.rev,
      ...(refusal && { refusal }),
    } as Outcome;
    records.decided.set(id, { device_id, asked, outcome });
    results.push(outcome);
  }
  return { results, stopped_at: null };
}

/** The answer to `GET /sync/pull`; revisions have no names here. */
export function pull(records: SitterRecords, query: URLSearchParams, backendId: string, pageSize = PAGE_SIZE) {
  const cursor = Number(query.get("cursor"));
  const seen = Number(query.get("seen") ?? cursor);
  if (records.rev < seen && query.get("backend_id") === (records.backend_id ?? backendId)) {
    records.backend_id = newId();
  }
  const backend_id = records.backend_id ?? backendId;
  const isElsewhere =
    query.get("backend_id") !== backend_id || query.get("epoch") !== String(EPOCH) || records.rev < cursor;
  const reset = cursor !== 0 && isElsewhere;
  const from = reset ? 0 : cursor;
  const rows = [...records.feed.values()].filter((it) => it.rev > from);
  const decided = [...records.decided.values()].filter((it) => it.device_id === query.get("device_id"));
  const outcomes = decided.map((it) => it.outcome).filter((it) => it.rev > from);
  const revs = [...rows, ...outcomes].map((it) => it.rev).toSorted((a, b) => a - b);
  // A reset comes whole, and a page never splits a revision.
  const next = (reset ? undefined : revs[pageSize - 1]) ?? records.rev;
  return {
    from,
    rows: rows.filter((it) => it.rev <= next && !(it.del && from === 0)).toSorted((a, b) => a.rev - b.rev),
    outcomes: outcomes.filter((it) => it.rev <= next),
    next,
    more: next < records.rev,
    head: records.rev,
    reset,
    epoch: EPOCH,
    backend_id,
    min_schema: MIN_SCHEMA,
    reach: { sends_mail: false, notified: [] },
  };
}

/** Bytes of one piece of a video's upload. */
const PIECE_BYTES = 512 * 1024;

/** The answer to a call about a video: to `POST /videos`, or to the piece that begins at `offset`. */
export function takeVideo(
  records: SitterRecords,
  id: string,
  next: { size_bytes: number } | { offset: number; piece: Blob },
) {
  const video = records.videos.get(id) ?? { size_bytes: "size_bytes" in next ? next.size_bytes : 0, pieces: [] };
  records.videos.set(id, video);
  const received = () => video.pieces.reduce((sum, it) => sum + it.size, 0);
  if ("piece" in next && next.offset === received()) video.pieces.push(next.piece);
  const { size_bytes } = video;
  return { id, size_bytes, offset: received(), piece_bytes: PIECE_BYTES, complete: received() === size_bytes };
}

/** The answer to `POST /sync/verify`. */
export const verify = (records: SitterRecords, ids: readonly string[]): { unknown: string[] } => ({
  unknown: ids.filter((it) => !records.decided.has(it)),
});

/** Takes a revision in any case, as the server does: an outcome needs its place in the feed, too. */
export function decide(records: SitterRecords, command: Command): { refusal?: Refusal } {
  records.rev += 1;
  const { rev, feed } = records;
  const put = (t: string, d: { id: string }) => feed.set(`${t}/${d.id}`, { t, id: d.id, rev, d });
  switch (command.name) {
    case "create_offering": {
      const { id, offering } = command.args;
      const offerings = [...feed.values()].filter((it) => it.t === "offering" && it.d);
      const display_order = Math.max(-1, ...offerings.map(({ d }) => (d as Offering).display_order)) + 1;
      put("offering", { ...newOffering(id), created_at: AT, display_order, ...offering, id });
      return {};
    }
    case "update_offering": {
      const { id, changes } = command.args;
      const row = feed.get(`offering/${id}`);
      if (!row?.d) return { refusal: { code: "gone" } };
      put("offering", { ...row.d, ...changes, id });
      return {};
    }
    case "delete_offering": {
      const { id } = command.args;
      feed.set(`offering/${id}`, { t: "offering", id, rev, del: true });
      return {};
    }
    case "create_client": {
      const { id, client, dogs } = command.args;
      const missing = dogs.find(({ changes }) => changes.photo && !records.photos.has(changes.photo))?.changes.photo;
      if (missing) return { refusal: { code: "photo_missing", photo: missing } };
      put("client", { ...newClient(id), created_at: AT, ...client, id });
      for (const [display_order, dog] of dogs.entries()) {
        put("pet", { ...newPet(dog.id, id), display_order, ...dog.changes, id: dog.id });
      }
      return {};
    }
    default:
      throw new Error(`The stand-in knows no ${command.name}.`);
  }
}
