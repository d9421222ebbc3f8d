/**
 * Owns the open connection to the server as screens know it: whether it is there, who is typing at its other end, and
 * saying that one types oneself. None of it is kept: who types is shown for seconds.
 */
import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import { messagingLimits } from "../../core";
import { openBusiness } from "../business/openBusiness";

/** What the server says over the connection. */
export interface RealtimeEvent {
  event: string;
  sitter_id?: string;
  conversation_id?: string;
}

let socket: WebSocket | undefined;
const changes = new Listeners();
/** By conversation: what ends that the other one is shown as typing. */
const typing = new Map<string, ReturnType<typeof setTimeout>>();

/** Tells whose business has changed that is not shown. */
export const changedElsewhere = new Listeners<[sitter_id: string]>();

/** The connection is this one from now on, or there is none. */
export function setConnection(next: WebSocket | undefined): void {
  socket = next;
  if (!next) for (const id of typing.keys()) stopTyping(id);
  changes.notify();
}

/** Takes what concerns screens. */
export function heard({ event, conversation_id: id }: RealtimeEvent): void {
  if (id === undefined) return;
  if (event === "typing") startTyping(id);
  // Who has sent what they typed is done with it.
  else if (event === "message_sent") stopTyping(id);
}

function startTyping(id: string): void {
  clearTimeout(typing.get(id));
  // SPEC 4: it stops after a second without a letter, of which nobody tells.
  const stop = setTimeout(() => stopTyping(id), messagingLimits().typing_idle_ms);
  typing.set(id, stop);
  changes.notify();
}

function stopTyping(id: string): void {
  clearTimeout(typing.get(id));
  if (typing.delete(id)) changes.notify();
}

/** Whether what others do comes at once. */
export const useIsLive = (): boolean => useSyncExternalStore(changes.subscribe, () => socket !== undefined);

/** Whether the other one is typing in a conversation. */
export const useIsTyping = (id: string): boolean => useSyncExternalStore(changes.subscribe, () => typing.has(id));

/** What comes sooner the server drops. */
const SAID_EVERY_MS = 500;
let saidAt = 0;

/** Says that something is being typed in a conversation; called with each letter. */
export function sayTyping(conversation_id: string): void {
  const now = Date.now();
  if (socket?.readyState !== WebSocket.OPEN || Math.abs(now - saidAt) < SAID_EVERY_MS) return;
  saidAt = now;
  // A client may be one of several sitters.
  const sitter_id = openBusiness()?.phone.sitter()?.id;
  socket.send(JSON.stringify({ event: "typing", conversation_id, sitter_id }));
}
