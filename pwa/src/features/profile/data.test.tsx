/** One's own data in the profile, on the real core and a real IndexedDB; only the server's answers are played. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { At } from "../../../test/At";

import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { loadRest, newClient, newId } from "../../core";
import { phoneArchive } from "../../data/phoneArchive";
import { setSession } from "../../data/session/session";
import { ConfirmHost, ToastHost } from "../../ui";
import { DataSection } from "./DataSection";
import { ExportEverything } from "./ExportEverything";

interface Sent {
  method: string;
  path: string;
  body: unknown;
}

const pathOf = (input: RequestInfo | URL): string => (input instanceof Request ? input.url : input.toString());

const rejected = (code: string, text: string, fields?: Record<string, string>) =>
  Response.json({ success: false, code, error: text, message: text, fields }, { status: 422 });
const data = (it: unknown) => Response.json({ success: true, data: it });

/**
 * Plays the server with `answer`, by default with `null`: nothing was cleared. Returns the calls, except those that
 * look at an import or a clearing.
 */
function server(answer: (sent: Sent) => Response | undefined) {
  const all: Sent[] = [];
  vi.spyOn(window, "fetch").mockImplementation(async (input, init) => {
    const { body } = init ?? {};
    const text = body instanceof Blob ? await body.text() : (body as string | undefined);
    const sent = { method: init?.method ?? "GET", path: pathOf(input), body: text };
    const isLook = sent.method === "GET" && ["/api/clear", "/api/import"].includes(sent.path);
    if (!isLook) all.push(sent);
    return answer(sent) ?? data(null);
  });
  return all;
}

const show = () =>
  render(
    <At path="/">
      <DataSection />
      <ConfirmHost />
      <ToastHost />
    </At>,
  );

/** Takes the place of downloads: returns the names of the saved files. */
function savedFiles() {
  Reflect.deleteProperty(window, "showSaveFilePicker");
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

const importing = (state: string, more: object = {}) => ({
  state,
  archive_bytes: 5,
  offset: 0,
  piece_bytes: 3,
  counts: [],
  left_out_count: 0,
  total: 0,
  done: 0,
  fault: null,
  ...more,
});

const clearedState = (more: object = {}) => ({
  state: "cleared",
  cleared_at: "2026-11-20T09:00:00Z",
  undo_until: "2026-12-20T09:00:00Z",
  has_new_work: false,
  fault: null,
  ...more,
});

const choose = (text: string) =>
  page.getByLabelText("Archive").upload(new File([text], "walkies.zip", { type: "application/zip" }));

beforeEach(async () => {
  await loadRest();
  const client = { ...newClient(newId()), name: "Sam" };
  await openPhone([{ t: "client", d: client }]);
  await signInOnPhone();
});
afterEach(async () => {
  await closePhone();
  await setSession(undefined);
});

test("everything is saved as one file, and an archive that breaks off is none", async () => {
  const names = savedFiles();
  let breaks = true;
  server(({ path }) => {
    if (path !== "/api/export") return undefined;
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        if (breaks) controller.error(new TypeError("broke off"));
        else controller.close();
      },
    });
    return new Response(stream, { headers: { "Content-Type": "application/zip", "X-About-Bytes": "10" } });
  });
  await show();
  await page.getByRole("button", { name: "Export everything" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The archive could not be made.");
  expect(names).toEqual([]);
  breaks = false;
  await page.getByRole("button", { name: "Export everything" }).click();
  await expect.element(page.getByText(/^Your browser has walkies-.*\.zip now/)).toBeVisible();
  expect(names).toHaveLength(1);
});

test("an archive is called saved once it is whole in the file that was chosen for it", async () => {
  const close = vi.fn(() => Promise.resolve());
  const write = vi.fn(() => Promise.resolve());
  const file = { createWritable: () => Promise.resolve({ write, close, abort: () => Promise.resolve() }) };
  Object.assign(window, { showSaveFilePicker: () => Promise.resolve(file) });
  server(({ path }) =>
    path === "/api/export"
      ? new Response(new Uint8Array(10), { headers: { "Content-Type": "application/zip" } })
      : undefined,
  );
  await show();
  await page.getByRole("button", { name: "Export everything" }).click();
  await expect.element(page.getByText(/^walkies-.*\.zip saved$/)).toBeVisible();
  expect(close).toHaveBeenCalledOnce();
  Reflect.deleteProperty(window, "showSaveFilePicker");
});

test("an archive says that it is being made, and then how much of it has come, however small it is", async () => {
  savedFiles();
  let rest: ReadableStreamDefaultController | undefined;
  server(({ path }) => {
    if (path !== "/api/export") return undefined;
    const stream = new ReadableStream({
      start(controller) {
        rest = controller;
      },
    });
    return new Response(stream, { headers: { "Content-Type": "application/zip", "X-About-Bytes": "2900" } });
  });
  await show();
  await page.getByRole("button", { name: "Export everything" }).click();
  await expect.element(page.getByText("The archive is being made.")).toBeVisible();
  await vi.waitFor(() => expect(rest).toBeDefined());
  rest?.enqueue(new Uint8Array(1_200));
  await expect.element(page.getByText("2 kB of about 3 kB")).toBeVisible();
  rest?.close();
  await expect.element(page.getByText(/^Your browser has walkies-.*\.zip now/)).toBeVisible();
});

test("an archive of which nobody knows how large it will be says how much has come", async () => {
  savedFiles();
  let rest: ReadableStreamDefaultController | undefined;
  server(({ path }) => {
    if (path !== "/api/export") return undefined;
    const stream = new ReadableStream({
      start(controller) {
        rest = controller;
      },
    });
    return new Response(stream, { headers: { "Content-Type": "application/zip" } });
  });
  await show();
  await page.getByRole("button", { name: "Export everything" }).click();
  await vi.waitFor(() => expect(rest).toBeDefined());
  rest?.enqueue(new Uint8Array(1_200));
  await expect.element(page.getByText("2 kB so far")).toBeVisible();
  await expect.element(page.getByRole("progressbar", { name: "Archive" })).not.toBeInTheDocument();
  rest?.close();
  await expect.element(page.getByText(/^Your browser has walkies-.*\.zip now/)).toBeVisible();
});

test("a pet parent saves the own account by the call for that, and not without a network", async () => {
  const names = savedFiles();
  const sent = server(({ path }) =>
    path === "/api/client/export"
      ? new Response(new Uint8Array(10), { headers: { "Content-Type": "application/zip" } })
      : undefined,
  );
  const account = (isReachable: boolean) => (
    <At path="/">
      <ExportEverything path="/client/export" isReachable={isReachable} />
      <ToastHost />
    </At>
  );
  const screen = await render(account(false));
  await expect.element(page.getByRole("button", { name: "Export everything" })).toBeDisabled();
  await screen.rerender(account(true));
  await page.getByRole("button", { name: "Export everything" }).click();
  await expect.element(page.getByText(/^Your browser has walkies-.*\.zip now/)).toBeVisible();
  expect(names).toHaveLength(1);
  expect(sent.map((it) => it.path)).toEqual(["/api/client/export"]);
});

test("what is on the phone is an archive without any network", async () => {
  const names = savedFiles();
  const fetch = window.fetch.bind(window);
  // The app itself is on the phone.
  vi.spyOn(window, "fetch").mockImplementation((input, init) =>
    pathOf(input).startsWith("/api") ? Promise.reject(new TypeError("no network")) : fetch(input, init),
  );
  await show();
  await page.getByRole("button", { name: /Export this/ }).click();
  await vi.waitFor(() => expect(names).toHaveLength(1));
  const told: [number, number][] = [];
  const text = await (await phoneArchive((...it) => told.push(it))).text();
  expect(told.length).toBeGreaterThan(2);
  expect(told.map(([done]) => done)).toEqual(told.map((_, n) => n + 1));
  expect(told.at(-1)).toEqual([told.length, told.length]);
  for (const part of ["rows/client.jsonl", '"name":"Sam"', "phone/waiting.json", "phone/walks.gpx"]) {
    expect(text).toContain(part);
  }
});

test("an archive goes piece by piece, says what is in it, and is imported when the person says so", async () => {
  let state = importing("none");
  const sent = server(({ method, path, body }) => {
    if (path === "/api/import" && method === "POST") state = importing("receiving");
    if (path === "/api/import" && method === "GET" && state.state === "none") return undefined;
    if (method === "PATCH") {
      const offset = state.offset + String(body).length;
      state = importing(offset === 5 ? "checking" : "receiving", { offset });
    } else if (path === "/api/import/start") state = importing("writing", { total: 7, done: 3 });
    else if (path === "/api/import" && method === "GET") {
      const counts = [
        ["client", 2],
        ["photos", 5],
      ];
      if (state.state === "checking") state = importing("ready", { counts, total: 7 });
      else if (state.state === "writing") state = importing("done", { counts, left_out_count: 1 });
    } else if (path === "/api/clear") return undefined;
    return data(state);
  });
  await show();
  await choose("hello");
  await page.getByLabelText("Your password").fill("a walk in the rain");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("This is in the archive:")).toBeVisible();
  expect(sent.filter((it) => it.method === "PATCH")).toEqual([
    { method: "PATCH", path: "/api/import?offset=0", body: "hel" },
    { method: "PATCH", path: "/api/import?offset=3", body: "lo" },
  ]);
  expect(sent.some((it) => it.path === "/api/import/start")).toBe(false);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(page.getByText("The archive is imported.")).toBeVisible();
  await expect.element(page.getByText("1 file is missing from it, or of no kind that is taken.")).toBeVisible();
});

test("a wrong password and an archive that is none are said in their places", async () => {
  let isSent = false;
  server(({ method, path, body }) => {
    if (path === "/api/clear" || (method === "GET" && !isSent)) return undefined;
    if (method === "POST" && String(body).includes("wrong")) {
      return rejected("invalid", "This is not your password", { password: "This is not your password" });
    }
    isSent = true;
    return data(importing("failed", { fault: "This file is no archive of Walkies, or it is damaged." }));
  });
  await show();
  await choose("hello");
  await page.getByLabelText("Your password").fill("wrong");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("This is not your password")).toBeVisible();
  await page.getByLabelText("Your password").fill("right");
  await page.getByRole("button", { name: "Send" }).click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("This file is no archive of Walkies, or it is damaged.");
});

test("a business is cleared with the password and the word, and brought back", async () => {
  let cleared: unknown = null;
  const sent = server(({ method, path }) => {
    if (path === "/api/clear/undo") cleared = null;
    else if (method === "POST") {
      cleared = clearedState();
    }
    return path.startsWith("/api/clear") ? data(cleared) : undefined;
  });
  await show();
  await page.getByRole("button", { name: "Clear my business" }).click();
  const dialog = page.getByRole("dialog");
  const button = dialog.getByRole("button", { name: "Clear my business" });
  await dialog.getByLabelText("Your password").fill("a walk in the rain");
  await expect.element(button).toBeDisabled();
  await dialog.getByLabelText("Type CLEAR").fill("CLEAR");
  await button.click();
  await expect.element(page.getByText(/Your business was cleared\. You can undo this until .*2026/)).toBeVisible();
  expect(sent[0]).toEqual({
    method: "POST",
    path: "/api/clear",
    body: JSON.stringify({ password: "a walk in the rain", word: "CLEAR", keeps: true }),
  });
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect.element(page.getByText(/Your business was cleared/)).not.toBeInTheDocument();
});

test("what was cleared is not offered beside new work, and a second clearing says what goes for good", async () => {
  const fault = "There is new work in this business.";
  server(({ path }) => (path === "/api/clear" ? data(clearedState({ has_new_work: true, fault })) : undefined));
  await show();
  await expect.element(page.getByText(fault)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Bring it back" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Clear my business" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabelText("Type CLEAR").fill("CLEAR");
  await expect
    .element(
      dialog.getByText(
        /The server keeps what you cleared before until .*2026\. What is here now is deleted for good\./,
      ),
    )
    .toBeVisible();
});

test("nobody clears a business without knowing whether that can be undone, which is asked as the dialog opens", async () => {
  let answer: () => Response = () => data(null);
  const sent = server(({ method, path }) => {
    if (path !== "/api/clear") return undefined;
    return method === "POST" ? data(clearedState({ state: "clearing" })) : answer();
  });
  await show();
  await expect.element(page.getByText(/You can undo clearing for 30 days/)).toBeVisible();
  // Another phone has cleared it meanwhile, and made new work.
  answer = () => new Response("<p>Hotel</p>", { status: 502, headers: { "Retry-After": "60" } });
  await page.getByRole("button", { name: "Clear my business" }).click();
  const dialog = page.getByRole("dialog");
  const button = dialog.getByRole("button", { name: "Clear my business" });
  await dialog.getByLabelText("Your password").fill("a walk in the rain");
  await dialog.getByLabelText("Type CLEAR").fill("CLEAR");
  await expect.element(dialog.getByText(/Walkies cannot tell yet whether you could undo this/)).toBeVisible();
  await expect.element(dialog.getByText(/bring all of it back/)).not.toBeInTheDocument();
  await expect.element(button).toBeDisabled();
  answer = () => data(clearedState({ has_new_work: true }));
  await dialog.getByRole("button", { name: "Try Again" }).click();
  await expect.element(dialog.getByText(/What is here now is deleted for good/)).toBeVisible();
  await button.click();
  await expect.poll(() => sent.find((it) => it.method === "POST")?.body).toContain('"keeps":false');
});

test("what was cleared is not offered any more once an archive has come into the business", async () => {
  let state = importing("ready");
  const fault = "There is new work in this business.";
  server(({ method, path }) => {
    if (path === "/api/clear") return data(clearedState(state.state === "done" ? { has_new_work: true, fault } : {}));
    if (method === "POST" && path === "/api/import/start") state = importing("done");
    return path.startsWith("/api/import") ? data(state) : undefined;
  });
  await show();
  await expect.element(page.getByRole("button", { name: "Bring it back" })).toBeVisible();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(page.getByText(fault)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Bring it back" })).not.toBeInTheDocument();
});

test("an import that goes on is on the profile, and is stopped there or ended", async () => {
  let state = importing("writing", { total: 7, done: 3 });
  const sent = server(({ method, path }) => {
    if (path !== "/api/import") return undefined;
    if (method === "DELETE") {
      if (state.state === "failed") return undefined;
      state = importing("failed", { fault: "The import was stopped. Nothing was changed." });
    }
    return data(state);
  });
  await show();
  await expect.element(page.getByText("3 of 7 records and files. It goes on by itself.")).toBeVisible();
  await page.getByRole("button", { name: "Stop and take it back" }).click();
  await expect.element(page.getByText(/The import was stopped\./)).toBeVisible();
  expect(sent.map((it) => it.method)).toEqual(["DELETE"]);
});

test("an archive that is ready is imported from the profile without being sent again", async () => {
  let state = importing("ready", { counts: [["client", 2]], total: 2 });
  const sent = server(({ path }) => {
    if (path === "/api/import/start") state = importing("done", { total: 2, done: 2 });
    return path.startsWith("/api/import") ? data(state) : undefined;
  });
  await show();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(page.getByText("The archive is imported.")).toBeVisible();
  expect(sent.map((it) => it.path)).toEqual(["/api/import/start"]);
});

test("a piece that is lost on the way is sent again, and a server that asks for patience has it", async () => {
  let [offset, tries] = [0, 0];
  server(({ method, path }) => {
    if (path === "/api/import" && method === "GET") return offset === 5 ? data(importing("ready")) : undefined;
    if (method !== "PATCH") return path === "/api/import" ? data(importing("receiving")) : undefined;
    tries += 1;
    if (tries === 1) throw new TypeError("no network");
    if (tries === 2) {
      const body = { success: false, code: "too_many_requests", error: "Too many", message: "Too many" };
      return Response.json(body, { status: 429, headers: { "Retry-After": "1" } });
    }
    offset = Math.min(offset + 3, 5);
    return data(importing(offset === 5 ? "ready" : "receiving", { offset }));
  });
  await show();
  await choose("hello");
  await page.getByLabelText("Your password").fill("a walk in the rain");
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("This is in the archive:"), { timeout: 15_000 }).toBeVisible();
  expect(tries).toBe(4);
});
