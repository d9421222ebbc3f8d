/** Whose words count: those in Walkies' own form, and nobody else's between the phone and its server. */
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { limits, loadCore, transportError } from "../../core";
import { call, request } from "./api";

beforeAll(() => loadCore());
afterEach(() => vi.useRealTimers());

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
  expect(await call("/clients", { method: "POST", token: "t" })).toMatchObject(expected);
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

/** Resolves with the result of `work` while fake time skips every wait between tries. */
async function atOnce<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => Object.assign(state, { isDone: true }));
  while (!state.isDone) await vi.advanceTimersToNextTimerAsync();
  return done;
}

const UNAVAILABLE = { status: 503 };
const PATIENCE = { status: 429, headers: { "Retry-After": "30" } };

test.each([
  ["no network", () => Promise.reject(new TypeError("no network"))],
  ["a server that cannot now", () => Promise.resolve(new Response("", UNAVAILABLE))],
  ["a server that has had enough", () => Promise.resolve(new Response("", { status: 429 }))],
] as const)("a question that meets %s is asked three times more, after 1, 2 and 4 seconds", async (_, fails) => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const begun = Date.now();
  vi.spyOn(window, "fetch").mockImplementation(() => {
    asked.push(Date.now() - begun);
    return fails();
  });
  expect((await atOnce(call("/clients"))).ok).toBe(false);
  expect(asked).toEqual([0, 1_000, 3_000, 7_000]);
});

test("what helps is what counts", async () => {
  vi.useFakeTimers();
  answer(200, JSON_TYPE, '{"success":true,"data":[1]}');
  vi.mocked(window.fetch).mockRejectedValueOnce(new TypeError("no network"));
  expect(await atOnce(call("/clients"))).toEqual({ ok: true, value: [1] });
});

test.each([
  ["a refusal", "/clients", {}, () => Promise.resolve(new Response("{}", { status: 404 }))],
  ["a wish for more patience than that", "/clients", {}, () => Promise.resolve(new Response("", PATIENCE))],
  ["what changes something", "/clients", { method: "POST" }, () => Promise.resolve(new Response("", UNAVAILABLE))],
] as const)("%s is told at once", async (_, path, options, fails) => {
  const asked = vi.spyOn(window, "fetch").mockImplementation(fails);
  expect((await call(path, options)).ok).toBe(false);
  expect(asked).toHaveBeenCalledOnce();
});

test("what has a key is sent again with it", async () => {
  vi.useFakeTimers();
  answer(200, JSON_TYPE, '{"success":true,"data":[1]}');
  vi.mocked(window.fetch).mockRejectedValueOnce(new TypeError("no network"));
  const options = { method: "POST", body: {}, idempotencyKey: "01a1" } as const;
  expect(await atOnce(call("/clear", options))).toEqual({ ok: true, value: [1] });
  const keys = vi.mocked(window.fetch).mock.calls.map(([, init]) => new Headers(init?.headers).get("Idempotency-Key"));
  expect(keys).toEqual(["01a1", "01a1"]);
});

test("no connection, one that ended and one that says nothing are told apart", async () => {
  const fails = vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("no network"));
  const textOf = async () => {
    const it = await request("/sync/pull");
    return it.ok ? undefined : it.error.text;
  };
  expect(await textOf()).toBe(transportError(0, ""));
  fails.mockRejectedValue(new DOMException("late", "TimeoutError"));
  expect(await textOf()).toBe(limits().connection_timed_out);
  const cut = new ReadableStream({ start: (it) => it.error(new TypeError("reset")) });
  fails.mockResolvedValue(new Response(cut));
  expect(await textOf()).toBe(limits().connection_reset);
});

test("an upload that failed says so in its own words", async () => {
  answer(415, JSON_TYPE, '{"success":false,"code":"validation","error":"Unsupported file type"}');
  const options = { method: "POST", form: new FormData() } as const;
  const error = { text: "Upload failed: 415 - Unsupported file type" };
  expect(await call("/upload", options)).toMatchObject({ ok: false, error });
  answer(503, HTML, "<p>nginx</p>");
  expect(await call("/upload", options)).toMatchObject({ ok: false, error: { text: "Upload failed: 503" } });
});

test("nobody is followed elsewhere", async () => {
  answer(200, JSON_TYPE, '{"success":true,"data":null}');
  await request("/sync/pull");
  expect(vi.mocked(window.fetch).mock.calls[0]?.[1]).toMatchObject({ redirect: "error" });
});
