/** Shows that rows keep their place in buckets, and that rows of an older layout are pulled again. */
import { deleteDB, openDB } from "idb";
import { expect, test } from "vitest";
import type { Batch } from "../../core";
import { changeBucket, changesByBucket, countRows } from "./buckets";
import { openUserDb } from "./db";

const key = (n: number) => `client/00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const batch = (put: [string, string][], deleted: string[] = []) =>
  ({ put: put.map(([key, text]) => ({ key, text })), delete: deleted }) as unknown as Batch;
const text = (bucket: Uint8Array | undefined) => new TextDecoder().decode(bucket);

test("rows of one bucket are written, replaced and removed without touching their neighbours", () => {
  const [a, b, c] = [key(101), key(201), key(301)];
  const first = changesByBucket(
    batch([
      [a, '{"it":"a b"}'],
      [b, '{"it":"b"}'],
    ]),
  );
  expect([...first.keys()]).toEqual(["01"]);
  const written = changeBucket(undefined, first.get("01") ?? new Map());
  expect(text(written)).toBe(`${a} {"it":"a b"}\n${b} {"it":"b"}`);

  const second = changesByBucket(batch([[c, '{"it":"ü"}']], [b]));
  const changed = changeBucket(written, second.get("01") ?? new Map());
  expect(text(changed)).toBe(`${a} {"it":"a b"}\n${c} {"it":"ü"}`);
  expect(changed && countRows(changed)).toBe(2);

  const last = changesByBucket(batch([], [a, c]));
  expect(changeBucket(changed, last.get("01") ?? new Map())).toBeUndefined();
});

test("what lay row by row is pulled again, and nothing else is touched", async () => {
  const user = "019aa000-0000-7000-8000-00000000000a";
  const old = await openDB(`walkies-${user}`, 1, {
    upgrade(db) {
      for (const name of ["base", "meta"]) db.createObjectStore(name);
      db.createObjectStore("outbox", { keyPath: "mutation.seq" });
    },
  });
  await old.put("base", '{"t":"client"}', key(1));
  await old.put("meta", { device_id: "d", cursor: 41, seq: 3 }, "meta");
  await old.put("outbox", { mutation: { seq: 3 }, sentence: "Move Rex" });
  old.close();

  const db = await openUserDb(user, () => undefined);
  expect([...db.objectStoreNames]).not.toContain("base");
  expect(await db.count("pages")).toBe(0);
  expect(await db.get("meta", "meta")).toEqual({ device_id: "d", cursor: 0, seq: 3 });
  expect(await db.getAll("outbox")).toEqual([{ mutation: { seq: 3 }, sentence: "Move Rex" }]);
  db.close();
  await deleteDB(`walkies-${user}`);
});
