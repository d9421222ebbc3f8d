/** The connection over which the server tells of changes, with a socket that a test opens and closes. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closePhone, openPhone, signInOnPhone } from "../../../test/phone";
import { setSession } from "../session/session";
import { listenForChanges } from "./realtime";

let sockets: { onopen?: () => void; onclose?: (event: { code: number }) => void }[];
let listening: AbortController;

beforeEach(async () => {
  sockets = [];
  listening = new AbortController();
  await openPhone([]);
  await signInOnPhone();
  vi.spyOn(window, "fetch").mockImplementation(() =>
    Promise.resolve(Response.json({ success: true, data: { ticket: "ticket", expires_in_seconds: 30 } })),
  );
  vi.stubGlobal(
    "WebSocket",
    class {
      onopen?: () => void;
      onclose?: (event: { code: number }) => void;
      constructor() {
        sockets.push(this);
      }
      close() {}
    },
  );
});
afterEach(async () => {
  listening.abort();
  vi.unstubAllGlobals();
  await setSession(undefined);
  await closePhone();
});

for (const [code, n_asked, what] of [
  [4401, 1, "whose session has ended asks the feed at once"],
  [1006, 0, "that is lost asks nothing by itself"],
] as const) {
  test(`a connection ${what}`, async () => {
    const changed = vi.fn();
    listenForChanges(changed, listening.signal);
    await expect.poll(() => sockets.length).toBe(1);
    sockets[0]?.onclose?.({ code });
    expect(changed).toHaveBeenCalledTimes(n_asked);
  });
}

test("a connection that is lost and cannot be had again asks the feed, once", async () => {
  const changed = vi.fn();
  listenForChanges(changed, listening.signal);
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.onopen?.();
  changed.mockClear();
  const asked = vi.mocked(window.fetch).mockRejectedValue(new TypeError("no network"));
  asked.mockClear();
  sockets[0]?.onclose?.({ code: 1006 });
  await expect.poll(() => asked.mock.calls.length).toBe(1);
  await expect.poll(() => changed.mock.calls.length).toBe(1);
  await expect.poll(() => asked.mock.calls.length).toBe(2);
  expect(changed).toHaveBeenCalledTimes(1);
});
