/**
 * Owns the open connection to the server as screens know it: whether it is there, who is typing at its other end, and
 * saying that one types oneself. None of it is kept: who types is shown for seconds.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { messagingLimits } from "../../core";
import { openBusiness } from "../business/openBusiness";

/** A message from the server over the connection. */
export interface RealtimeEvent {
  event: string;
  sitter_id?: string;
  conversation_id?: string;
  /** Set on `typing` when the other one has stopped. */
  stopped?: boolean;
}

let socket: WebSocket | undefined;
const changes = new Listeners();
/** Timers that end the display of the other one as typing, by conversation. */
const typing = new Map<string, ReturnType<typeof setTimeout>>();

/** Tells whose business has changed that is not shown. */
export const changedElsewhere = new Listeners<[sitter_id: string]>();

/** Sets the open connection; `undefined` when there is none. */
export function setConnection(next: WebSocket | undefined): void {
  socket = next;
  if (!next) for (const id of typing.keys()) stopTyping(id);
  forgetSaid();
  changes.notify();
}

/** Handles an event as far as it concerns screens. */
export function heard({ event, conversation_id: id, stopped = false }: RealtimeEvent): void {
  if (id === undefined) return;
  if (event === "typing" && !stopped) startTyping(id);
  // Who has sent what they typed is done with it.
  else if (event === "typing" || event === "message_sent") stopTyping(id);
}

function startTyping(id: string): void {
  clearTimeout(typing.get(id));
  // SPEC 4: 3 s at most. Whoever goes on says so before, and that they have stopped may get lost.
  const stop = setTimeout(() => stopTyping(id), messagingLimits().typing_most_ms);
  typing.set(id, stop);
  changes.notify();
}

function stopTyping(id: string): void {
  clearTimeout(typing.get(id));
  if (typing.delete(id)) changes.notify();
}

/** True while the connection is open, so that changes of others come at once. */
export const useIsLive = (): boolean => useSyncExternalStore(changes.subscribe, () => socket !== undefined);

/** True if the other one is typing in a conversation. */
export const useIsTyping = (id: string): boolean => useSyncExternalStore(changes.subscribe, () => typing.has(id));

/** Interval at which typing is reported again, before the other side takes it for over. */
const SAID_EVERY_MS = 2_000;

/** The conversation whose other side was last told that one types. */
let saidIn: string | undefined;
let saidAt = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Says that something is being typed in a conversation; called with each letter. */
export function sayTyping(conversation_id: string): void {
  if (saidIn !== conversation_id) sayStopped();
  const now = Date.now();
  if (saidIn === undefined || SAID_EVERY_MS <= Math.abs(now - saidAt)) {
    say(conversation_id);
    [saidIn, saidAt] = [conversation_id, now];
  }
  clearTimeout(idle);
  // SPEC 4: it stops after a second without a letter.
  idle = setTimeout(sayStopped, messagingLimits().typing_idle_ms);
}

function sayStopped(): void {
  if (saidIn !== undefined) say(saidIn, true);
  forgetSaid();
}

function forgetSaid(): void {
  clearTimeout(idle);
  saidIn = undefined;
}

function say(conversation_id: string, stopped?: true): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  // A client may be one of several sitters.
  const sitter_id = openBusiness()?.phone.sitter()?.id;
  socket.send(JSON.stringify({ event: "typing", conversation_id, sitter_id, stopped }));
}
