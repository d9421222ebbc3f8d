/** Whose words count: those in Walkies' own form, and nobody else's between the phone and its server. */
import { beforeAll, expect, test, vi } from "vitest";
import { loadCore, transportError } from "../../core";
import { call, request } from "./api";

beforeAll(() => loadCore());

const HTML = "text/html";
const JSON_TYPE = "application/json; charset=utf-8";
const NO_NETWORK = { ok: false, error: { kind: "offline" } };

function answer(status: number, type: string, body: string): void {
  vi.spyOn(window, "fetch").mockResolvedValue(new Response(body, { status, headers: { "Content-Type": type } }));
}

test.each([
  [200, HTML, "<p>Room number?</p>"],
  [200, HTML, '{"success":true,"data":1}'],
  [200, JSON_TYPE, "{}"],
  [200, JSON_TYPE, '{"success":false}'],
  [200, JSON_TYPE, "[true]"],
  [401, HTML, "<p>Room number?</p>"],
  [401, JSON_TYPE, '{"error":"login_required"}'],
  [401, JSON_TYPE, "null"],
  [403, HTML, "Blocked"],
  [404, HTML, "<p>Not found</p>"],
  [502, HTML, "<p>nginx</p>"],
  [511, HTML, "<p>Network authentication required</p>"],
])("%d with %s and %s was not said by Walkies", async (status, type, body) => {
  answer(status, type, body);
  const expected = status === 502 ? { ok: false, error: { kind: "server" } } : NO_NETWORK;
  expect(await request("/sync/pull", { token: "t" })).toMatchObject(expected);
  answer(status, type, body);
  expect(await call("/clients", { token: "t" })).toMatchObject(expected);
});

test("a refusal of the session in Walkies' own form counts", async () => {
  answer(401, JSON_TYPE, '{"success":false,"code":"token_expired","error":"Expired","message":"Expired"}');
  const error = { kind: "session_expired", text: transportError(401, "") };
  expect(await request("/sync/pull", { token: "t" })).toEqual({ ok: false, error });
});

test("the success form counts, in whatever order it is written", async () => {
  for (const body of ['{"success":true,"data":[1]}', '{"data":[1],"success":true}']) {
    answer(200, JSON_TYPE, body);
    expect(await call("/clients")).toEqual({ ok: true, value: [1] });
  }
});

test("nobody is followed elsewhere", async () => {
  answer(200, JSON_TYPE, '{"success":true,"data":null}');
  await request("/sync/pull");
  expect(vi.mocked(window.fetch).mock.calls[0]?.[1]).toMatchObject({ redirect: "error" });
});
