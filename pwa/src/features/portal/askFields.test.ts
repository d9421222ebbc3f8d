/** The form for a visit like another one. */
import { expect, test } from "vitest";
import type { Bookable, ServiceView } from "../../core";
import { type AskFields, fieldsLike } from "./askFields";

const BLANK: AskFields = { service_type: "walk", duration_minutes: 30, dog_ids: [], times: [], message: "" };
const visit = { offering_id: "run", service_type: "walk", duration_minutes: 60, dog_ids: ["rex"], start_time: "09:00" };

const lengthOf = (duration_minutes: number | null): number => {
  const offering = { id: "run", name: "Run", is_stay: false, duration_minutes } as Bookable;
  return fieldsLike(visit as ServiceView, "", [{ id: "rex" }], [offering], BLANK).duration_minutes;
};

test("a visit like another one has the length of its offering, where that has one", () => {
  expect(lengthOf(45)).toBe(45);
  expect(lengthOf(null)).toBe(60);
});
