/**
 * Owns the WebSocket over which the server says that something changed, and who is typing. It carries no data:
 * what changed comes by the feed, so a lost event costs a poll's time and nothing else. Who is refused a connection asks
 * again when there is reason to: with the next look at the app, or when the network is back.
 */
import { afterPaint } from "../../browser/afterPaint";
import { limits, type Ticket } from "../../core";
import { call } from "../server/api";
import { sessionToken } from "../session/session";
import type { Role } from "../session/sessionDb";
import { heard, type RealtimeEvent, setConnection } from "./live";

const SEAT_LOST = 4408;
const SESSION_ENDED = 4401;

/**
 * Calls `changed` whenever the server says so, with whose business it is where that is known, until `signal` aborts;
 * connects while the app is visible. A person with both roles is told of what concerns `role`.
 */
export function listenForChanges(changed: (sitter_id?: string) => void, signal: AbortSignal, role?: Role): void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { socket_retry_ms: firstMs, longest_socket_retry_ms: longestMs } = limits();
  let retryMs = firstMs;
  let connecting = false;
  let wasOpen = false;

  const again = () => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, longestMs);
  };

  const connect = async () => {
    const token = sessionToken(role);
    if (signal.aborted || connecting || socket || !token || !navigator.onLine) return;
    if (document.visibilityState === "hidden") return;
    connecting = true;
    const answer = await call<Ticket>("/realtime/ticket", { method: "POST", token, signal });
    connecting = false;
    if (!answer.ok) {
      const { error } = answer;
      // Screens say at once that nothing can be sent, and not with the next poll.
      if (error.kind === "offline" && wasOpen) changed();
      wasOpen = false;
      if (error.kind === "rejected") return undefined;
      if (error.kind === "server") retryMs = Math.max(retryMs, (error.retryAfterS ?? 0) * 1_000);
      return again();
    }
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/realtime?ticket=${answer.value.ticket}`);
    const opened = socket;
    socket.onopen = () => {
      retryMs = firstMs;
      wasOpen = true;
      setConnection(opened);
      changed(); // whatever was missed while not connected
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as RealtimeEvent;
      if (told.event === "changed") changed(told.sitter_id);
      else heard(told);
    };
    socket.onclose = ({ code }) => {
      // Opened in more places than are told at once: this one polls for a while.
      if (code === SEAT_LOST) retryMs = longestMs;
      // The feed says so as well, and what follows from it begins there: at once, and not with the next poll.
      if (code === SESSION_ENDED) changed();
      socket = undefined;
      setConnection(undefined);
      again();
    };
    return undefined;
  };

  /** A network that is gone says nothing: the connection would be believed in for minutes. */
  const lost = () => {
    setConnection(undefined);
    socket?.close();
  };

  const now = () => {
    retryMs = firstMs;
    clearTimeout(timer);
    void connect();
  };
  addEventListener("online", now, { signal });
  addEventListener("offline", lost, { signal });
  document.addEventListener("visibilitychange", now, { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    socket?.close();
  });
  // What is on the phone is shown first.
  void afterPaint().then(now);
}
