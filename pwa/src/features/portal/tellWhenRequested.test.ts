/** The words on requests that are booked without asking, once the server has them. */
import { expect, test } from "vitest";
import { outcomeOf } from "./tellWhenRequested";

test("only visits that are booked are said to be booked", () => {
  const said = (count: number, booked: number, waiting: number) => outcomeOf({ count, booked, waiting }, "Mara");
  expect(said(1, 1, 0)).toBe("Booked");
  expect(said(3, 3, 0)).toBe("3 visits booked");
  expect(said(1, 0, 1)).toBe("Not booked yet: Mara has it as a request.");
  expect(said(2, 0, 2)).toBe("Not booked yet: Mara has them as requests.");
  expect(said(3, 2, 1)).toBe("2 booked. Mara has 1 as a request.");
  // The others were refused.
  expect(said(2, 1, 0)).toBe("1 of 2 visits booked");
  expect(said(3, 0, 2)).toBe("Not booked yet: Mara has 2 as requests.");
  expect(said(2, 0, 0)).toBe("Sent to Mara");
});
