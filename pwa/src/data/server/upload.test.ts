/** How a photo is sent over a slow street: what still moves is not given up, and what is silent is. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CUT_OFF, upload } from "./upload";

/** The browser's request, as far as it is used; it does what a test makes it do. */
class Request {
  static current: Request;
  readonly upload: { onprogress: (moved: { loaded: number; total: number }) => void } = { onprogress: () => undefined };
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  onabort: () => void = () => undefined;
  onloadend: () => void = () => undefined;
  status = 200;
  responseText = "{}";
  responseURL = new URL("/api/upload", location.href).href;
  readonly sent = new Map<string, string>();

  constructor() {
    Request.current = this;
  }

  open(): void {}

  send(): void {}

  setRequestHeader(name: string, value: string): void {
    this.sent.set(name, value);
  }

  getResponseHeader(name: string): string | null {
    return name === "Content-Type" ? "application/json" : null;
  }

  abort(): void {
    this.onabort();
    this.onloadend();
  }
}

const SILENCE_MS = 20_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", Request);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shares: number[] = [];
const start = (signal?: AbortSignal) => {
  shares.length = 0;
  const init = { method: "POST", headers: { Authorization: "Bearer t" }, body: new FormData(), signal: signal ?? null };
  return upload("/api/upload", init, { onProgress: (it) => shares.push(it), silenceMs: SILENCE_MS });
};

test("what moves is waited for, however long it takes", async () => {
  const answered = start();
  const { current } = Request;
  expect(current.sent.get("authorization")).toBe("Bearer t");
  for (const loaded of [25, 50, 75, 100]) {
    vi.advanceTimersByTime(SILENCE_MS - 1);
    current.upload.onprogress({ loaded, total: 100 });
  }
  current.onload();
  current.onloadend();
  const response = await answered;
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
  expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what has not moved for a while is given up", async () => {
  const answered = start();
  Request.current.upload.onprogress({ loaded: 50, total: 100 });
  vi.advanceTimersByTime(SILENCE_MS);
  await expect(answered).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a connection that ends is told from one that never was", async () => {
  const never = start();
  Request.current.onerror();
  await expect(never).rejects.toBeInstanceOf(TypeError);
  const ended = start();
  Request.current.upload.onprogress({ loaded: 50, total: 100 });
  Request.current.onerror();
  await expect(ended).rejects.toMatchObject({ name: CUT_OFF });
});

test("it can be called off, also before it has begun", async () => {
  const off = new AbortController();
  const answered = start(off.signal);
  off.abort();
  await expect(answered).rejects.toThrow("Failed to send");
  await expect(start(AbortSignal.abort())).rejects.toThrow("Failed to send");
});

test("nobody is followed elsewhere", async () => {
  const answered = start();
  Request.current.responseURL = "https://hotel.example/login";
  Request.current.onload();
  await expect(answered).rejects.toThrow("Failed to send");
});
