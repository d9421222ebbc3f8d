/** Shows that what a change did not touch stays the same object. */
import { expect, test } from "vitest";
import { shared } from "./useReplica";

test("what equals stays the same object, what differs is the new one", () => {
  const last = {
    title: "7 visits",
    visits: [
      { id: 1, dogs: ["Rex"] },
      { id: 2, dogs: [] },
    ],
    next: null,
  };
  const next = {
    title: "8 visits",
    visits: [
      { id: 1, dogs: ["Rex"] },
      { id: 2, dogs: ["Mia"] },
      { id: 3, dogs: [] },
    ],
    next: null,
  };
  const made = shared<typeof next>(last, structuredClone(next));
  expect(made).toEqual(next);
  expect(made).not.toBe(last);
  expect(made.visits[0]).toBe(last.visits[0]);
  expect(made.visits[1]).not.toBe(last.visits[1]);
  expect(shared(made, structuredClone(made))).toBe(made);
});

test("a list that became shorter, a field that went and a value of another kind are news", () => {
  expect(shared([1, 2, 3], [1, 2])).toEqual([1, 2]);
  expect(shared<object>({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(shared<unknown>({ 0: "a" }, ["a"])).toEqual(["a"]);
  expect(shared<unknown>([], {})).toEqual({});
  expect(shared<unknown>({ a: 1 }, null)).toBeNull();
  expect(shared<unknown>(undefined, { a: 1 })).toEqual({ a: 1 });
});

test("what comes into a list or goes from it leaves the others the same objects", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => ({ view: { id }, dogs: [id] }));
  const copy = <T>(it: T): T => structuredClone(it);
  for (const [last, next] of [
    [
      [a, b, c],
      [a, d, b, c],
    ],
    [
      [a, b, c],
      [a, c],
    ],
    [
      [a, b, c],
      [d, a, b, c],
    ],
    [
      [a, b, c],
      [a, b, c, d],
    ],
    [
      [a, b, c],
      [a, d, c],
    ],
    [[a, a], [a]],
    [[], [a]],
    [[a], []],
  ]) {
    const made = shared(last, copy(next)) ?? [];
    expect(made).toEqual(next);
    expect(made.filter((it) => it !== d && last?.includes(it))).toHaveLength(
      next?.filter((it) => it !== d && last?.includes(it)).length ?? 0,
    );
  }
});
