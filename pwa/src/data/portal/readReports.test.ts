/** Telling that a report was read; only the server's answers are played. */
import { beforeEach, expect, test, vi } from "vitest";
import { loadRest } from "../../core";
import { noteReportRead } from "./readReports";

beforeEach(() => loadRest());

test("a report that is read is told of once, and without a network the next time", async () => {
  const asked: string[] = [];
  let isReachable = false;
  vi.spyOn(window, "fetch").mockImplementation((input) => {
    asked.push(input as string);
    if (!isReachable) return Promise.reject(new TypeError("no network"));
    return Promise.resolve(Response.json({ success: true, data: {} }));
  });
  await noteReportRead("secret");
  expect(new Set(asked)).toEqual(new Set(["/api/public/reports/secret?read=1"]));
  asked.length = 0;
  isReachable = true;
  for (const id of ["secret", "secret", "other"]) await noteReportRead(id);
  expect(asked).toEqual(["/api/public/reports/secret?read=1", "/api/public/reports/other?read=1"]);
  // An address is a secret, and stays on no device after a sign-out.
  expect(JSON.stringify([localStorage, sessionStorage])).not.toContain("secret");
});

test("nothing is told of what nobody sees", async () => {
  const fetch = vi.spyOn(window, "fetch");
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await noteReportRead("unseen");
  expect(fetch).not.toHaveBeenCalled();
});
