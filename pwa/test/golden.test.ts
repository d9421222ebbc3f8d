/** Tests that the core answers its golden cases through WASM to the byte as it does natively. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const core = await import(new URL("../src/core/pkg/golden/walkies_golden.js", import.meta.url).href);
const { memory } = core.initSync({
  module: readFileSync(new URL("../src/core/pkg/golden/walkies_all_bg.wasm", import.meta.url)),
});

const folder = new URL("../../core/testdata/", import.meta.url);
const files = readdirSync(folder).filter((it) => it.endsWith(".json"));

test("there are golden cases", () => {
  expect(files.length).toBeGreaterThan(5);
});

test.each(files)("%s is answered alike natively and through WASM", (file) => {
  const cases = readFileSync(new URL(file, folder), "utf8");
  expect(core.goldenWrong(file.replace(".json", ""), cases)).toEqual([]);
});

// The same seeds as the test of core runs natively.
const HISTORIES = Number(process.env.WALKIES_LEDGER_HISTORIES ?? 300);

test("random histories agree with a model of the books", { timeout: 60_000 + 100 * HISTORIES }, () => {
  for (let seed = 0; seed < HISTORIES; seed += 1) {
    try {
      core.runHistory(seed);
    } catch (cause) {
      throw new Error(`History ${seed} does not agree; WALKIES_LEDGER_SEED=${seed} runs it natively.`, { cause });
    }
  }
});

test("a malformed call throws, leaves the core usable, and holds on to nothing", () => {
  const before = memory.buffer.byteLength;
  for (let round = 0; round < 10_000; round += 1) {
    expect(() => core.formatTime("25:99", "h12")).toThrow("not a valid time");
  }
  expect(core.formatTime("09:30", "h12")).toBe("9:30 AM");
  expect(memory.buffer.byteLength).toBe(before);
});

test("ids are made in order, as many as there may be in a millisecond, and each is a UUIDv7", () => {
  const ids: string[] = Array.from({ length: 20_000 }, () => core.newId());
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
