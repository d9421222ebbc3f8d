/** Tests how offerings move about and what of it is saved. */
import { expect, test } from "vitest";
import { moveBy, moveTo, reorderCommand } from "./order";

const ORDER = { "Pet Care": ["a", "b", "c"], Grooming: ["d"] };
const CATEGORIES = ["Pet Care", "Grooming", "Boarding"];

test("an offering moves one place within its category and stops at its ends", () => {
  expect(moveBy(ORDER, "b", -1)["Pet Care"]).toEqual(["b", "a", "c"]);
  expect(moveBy(ORDER, "b", 1)["Pet Care"]).toEqual(["a", "c", "b"]);
  expect(moveBy(ORDER, "a", -1)).toEqual(ORDER);
  expect(moveBy(ORDER, "d", 1)).toEqual(ORDER);
});

test("an offering moves to the end of another category, also of one that has none yet", () => {
  expect(moveTo(ORDER, "a", "Grooming")).toEqual({ "Pet Care": ["b", "c"], Grooming: ["d", "a"] });
  expect(moveTo(ORDER, "d", "Boarding")).toEqual({ "Pet Care": ["a", "b", "c"], Grooming: [], Boarding: ["d"] });
});

test("all places are saved through all categories, and the category only of what has a new one", () => {
  expect(reorderCommand(moveTo(ORDER, "a", "Grooming"), ORDER, CATEGORIES)).toEqual({
    name: "reorder_offerings",
    args: {
      orders: [
        { id: "b", display_order: 0, category: null },
        { id: "c", display_order: 1, category: null },
        { id: "d", display_order: 2, category: null },
        { id: "a", display_order: 3, category: "Grooming" },
      ],
    },
  });
});
