/**
 * The component tests' stand-in for the server answers as the server does: each case is asked of both, in the words of the
 * wire, and their answers are compared field by field.
 */
import { readFileSync } from "node:fs";
import { initSync, type Mutation, newId, type PushRequest } from "../src/core";
import { newRecords, pull, push, type SitterRecords, verify } from "../test/support/standIn";
import { expect, test } from "./support/test";

const SCHEMA = 2;

/** More rows than a page of the feed has, in few commands: a client comes with so many pets. */
const PETS = 49;
const CLIENTS = 25;

/** The status and what came with it: the data, or the code of a failure. */
interface Answer {
  status: number;
  data?: object;
  code?: string;
}

interface PullQuery {
  cursor: number;
  device_id: string;
  epoch?: number;
  backend_id?: string;
  seen?: number;
}

/** One server, real or not. */
interface Side {
  push: (request: PushRequest) => Promise<Answer>;
  pull: (query: PullQuery) => Promise<Answer>;
  verify: (ids: string[]) => Promise<Answer>;
  /** The name of this side's database, from its last pull. */
  backendId: string;
}

const queryOf = ({ cursor, device_id, epoch, backend_id, seen }: PullQuery) => {
  const given = { cursor, device_id, schema: SCHEMA, epoch, backend_id, seen };
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
};

/** The real one, without what it made for the new account up to the revision `start`. */
function realSide(origin: string, token: string, start: number, backendId: string): Side {
  const ask = async (path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${origin}/api${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: body ? JSON.stringify(body) : null,
    });
    const { data, code } = (await response.json()) as { data?: object; code?: string };
    return { status: response.status, ...(data && { data }), ...(code !== undefined && { code }) };
  };
  return {
    push: (request) => ask("/sync/push", request),
    pull: async (query) => {
      const { data, ...answer } = await ask(`/sync/pull?${queryOf(query)}`);
      const { zone: _, rows, ...page } = data as { zone?: object; rows: { rev: number }[] };
      return { ...answer, data: { ...page, rows: rows.filter((it) => it.rev > start) } };
    },
    verify: (ids) => ask("/sync/verify", { ids }),
    backendId,
  };
}

function standInSide(records: SitterRecords): Side {
  const backendId = newId();
  const ok = (data: object): Promise<Answer> => Promise.resolve({ status: 200, data });
  return {
    push: (request) => {
      const answer = push(records, request, backendId);
      return "code" in answer ? Promise.resolve({ status: 422, code: answer.code }) : ok(answer);
    },
    pull: (query) => ok(pull(records, queryOf(query), backendId)),
    verify: (ids) => ok(verify(records, ids)),
    backendId,
  };
}

/** When a row was made and what a database is called differ, and no revision of the stand-in has a name. */
function comparable(answer: Answer, side: Side): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => {
    if (name === "rev_id") return undefined;
    if (name === "created_at" || name === "updated_at") return "a time";
    if (name === "backend_id") return value === side.backendId ? "as before" : "another one";
    return value;
  });
  return JSON.parse(text);
}

/** Reads the database's name out of a pull's answer; `undefined` where the answer has none. */
const namedIn = ({ data }: Answer): string | undefined =>
  data && "backend_id" in data && typeof data.backend_id === "string" ? data.backend_id : undefined;

/** Both servers, asked the same: where what is asked names the database, each is told its own name. */
class Both {
  readonly #sides: readonly [real: Side, standIn: Side];
  readonly #asked: string[] = [];

  constructor(real: Side, standIn: Side) {
    this.#sides = [real, standIn];
  }

  /** The stand-in's answer, after it was found to be the server's. */
  async #ask(what: string, ask: (side: Side) => Promise<Answer>): Promise<Answer> {
    this.#asked.push(what);
    const answers = await Promise.all(this.#sides.map(ask));
    const [real, standIn] = answers.map((it, n) => comparable(it, this.#sides[n] as Side));
    expect(standIn, `after ${this.#asked.join(", ")}`).toEqual(real);
    for (const [n, side] of this.#sides.entries()) {
      side.backendId = namedIn(answers[n] as Answer) ?? side.backendId;
    }
    return answers[1] as Answer;
  }

  push(what: string, device_id: string, mutations: Mutation[], server: "known" | "unknown" | "other" = "known") {
    const other = newId();
    return this.#ask(what, (side) => {
      const backend_id = { known: side.backendId, unknown: null, other }[server];
      return side.push({ device_id, schema: SCHEMA, backend_id, mutations });
    });
  }

  pull(what: string, query: Omit<PullQuery, "backend_id">, server: "known" | "unknown" | "other" = "known") {
    const other = newId();
    return this.#ask(what, (side) => {
      const backend_id = { known: side.backendId, other }[server as string];
      return side.pull({ ...query, ...(backend_id !== undefined && { backend_id }) });
    });
  }

  verify(what: string, ids: string[]) {
    return this.#ask(what, (side) => side.verify(ids));
  }
}

const mutation = (seq: number, name: string, args: object, id = newId()): Mutation => ({
  id,
  seq,
  v: SCHEMA,
  made_at: new Date().toISOString(),
  base_rev: 0,
  name,
  args,
});

const addOffering = (seq: number, name: string, id = newId()) =>
  mutation(seq, "create_offering", { id, offering: { name } });

const idOf = ({ args }: Mutation) => (args as { id: string }).id;

interface Begun {
  both: Both;
  /** The revision of the new account, which both begin with. */
  start: number;
  epoch: number;
  device: string;
}

const standInTest = test.extend<{ begun: Begun }>({
  begun: async ({ server, api, sitter, office }, give) => {
    // The stand-in offers nothing from the beginning.
    for (const { id } of await office.offerings()) await office.call("DELETE", `/sitter-services/${id}`);
    const { token } = await api.call<{ token: string }>("POST", "/auth/signin", sitter);
    const device = newId();
    const first = await realSide(server.origin, token, 0, "").pull({ cursor: 0, device_id: device });
    const { next, epoch, backend_id } = first.data as { next: number; epoch: number; backend_id: string };
    const real = realSide(server.origin, token, next, backend_id);
    const standIn = standInSide(newRecords(next));
    await give({ both: new Both(real, standIn), start: next, epoch, device });
  },
});

standInTest.beforeAll(() => {
  initSync({ module: readFileSync(new URL("../src/core/pkg/core/walkies_core_bg.wasm", import.meta.url)) });
});

standInTest("the stand-in decides, repeats and refuses as the server does", async ({ begun }) => {
  const { both, start, epoch, device } = begun;
  const [walk, visit] = [addOffering(1, "Walk"), addOffering(2, "Visit")];
  await both.push("two changes before the server is known", device, [walk, visit], "unknown");
  await both.push("the same again", device, [walk, visit]);
  const renamed = { id: idOf(walk), changes: { name: "Long walk", base_price: 25 } };
  await both.push("a known one and a new one", device, [visit, mutation(3, "update_offering", renamed)]);
  await both.push("a change of what is not there", device, [
    mutation(4, "update_offering", { id: newId(), changes: { name: "Bath" } }),
    addOffering(5, "Bath"),
  ]);
  await both.push("nothing", device, []);
  const photo = newId();
  const dog = { id: newId(), changes: { name: "Rex", photo } };
  const dana = { id: newId(), client: { name: "Dana Reyes" }, dogs: [dog] };
  await both.push("a photo that was never sent", device, [mutation(6, "create_client", dana)]);
  await both.push("a client", device, [
    mutation(7, "create_client", { ...dana, dogs: [{ ...dog, changes: { name: "Rex", about: "Likes cheese" } }] }),
  ]);
  await both.push("one id for two changes", device, [{ ...addOffering(8, "Run"), id: walk.id }]);
  await both.push("a number that is taken", device, [addOffering(2, "Run")]);
  await both.push("another server's", device, [addOffering(8, "Run")], "other");
  await both.push("another phone's first", newId(), [addOffering(1, "Night walk")]);
  await both.verify("what is known", [walk.id, newId(), visit.id]);
  await both.pull("all of it", { cursor: start, device_id: device, epoch });
});

standInTest("the stand-in's feed is the server's", async ({ begun }) => {
  const { both, start, epoch, device } = begun;
  const other = newId();
  const [walk, visit] = [addOffering(1, "Walk"), addOffering(2, "Visit")];
  await both.push("two changes", device, [walk, visit]);
  await both.pull("what is new", { cursor: start, device_id: device, epoch });
  await both.pull("what is new for another phone", { cursor: start, device_id: other, epoch });
  await both.pull("nothing new", { cursor: start + 2, device_id: device, epoch });
  await both.push("a deletion by another phone", other, [mutation(1, "delete_offering", { id: idOf(walk) })]);
  await both.pull("the deletion", { cursor: start + 2, device_id: device, epoch });
  await both.pull("a part", { cursor: start + 1, device_id: device, epoch, seen: start + 3 });
  await both.pull("all that there is, with nothing that is gone", { cursor: 0, device_id: device }, "unknown");
  await both.pull("after another view of the business", { cursor: start + 3, device_id: device, epoch: epoch + 1 });
  await both.pull("after another server", { cursor: start + 3, device_id: device, epoch }, "other");
  await both.pull("from the beginning after another server", { cursor: 0, device_id: device, epoch }, "other");
});

standInTest("the stand-in notices that a phone knows more than it does, as the server does", async ({ begun }) => {
  const { both, start, epoch, device } = begun;
  const walk = addOffering(1, "Walk");
  await both.push("a change", device, [walk]);
  await both.push("a gap before the server is known", device, [addOffering(3, "Run")], "unknown");
  await both.push("a known one and a gap", device, [walk, addOffering(3, "Run")]);
  await both.push("by the name that it had", device, [addOffering(2, "Bath")]);
  await both.pull("what is new by that name", { cursor: start + 1, device_id: device, epoch });
  await both.push("by its new name", device, [addOffering(2, "Bath")]);
  await both.pull("after a revision that is not there", { cursor: start + 9, device_id: device, epoch });
  await both.pull("a part of revisions that are not there", {
    cursor: start,
    device_id: device,
    epoch,
    seen: start + 9,
  });
  await both.pull("from the beginning", { cursor: 0, device_id: device, epoch });
});

standInTest("the stand-in pages the feed as the server does", async ({ begun }) => {
  const { both, start, epoch, device } = begun;
  const clients = Array.from({ length: CLIENTS }, (_, n) => {
    const dogs = Array.from({ length: PETS }, (_, pet) => ({ id: newId(), changes: { name: `Rex ${pet}` } }));
    return mutation(n + 1, "create_client", { id: newId(), client: { name: `Client ${n}` }, dogs });
  });
  await both.push("many clients", device, clients);
  const first = await both.pull("the first page", { cursor: start, device_id: device, epoch });
  const { next, more } = first.data as { next: number; more: boolean };
  expect(more).toBe(true);
  await both.pull("the next page", { cursor: next, device_id: device, epoch, seen: start + CLIENTS });
  await both.pull("the first page for another phone", { cursor: start, device_id: newId(), epoch });
});
