/** Owns which messages of a conversation were turned down, with what they were and the ways out. */
import type { AttentionItem, Command } from "../../core";
import { useReplica } from "../../data";

/** A refused message; where another command stands in its place it is about something else. */
export type FailedSend = AttentionItem & { command: Extract<Command, { name: "send_message" }> };

/** Returns the refused messages of a conversation, oldest first. */
export const useFailedSends = (conversationId: string): readonly FailedSend[] =>
  useReplica((phone) => phone.refusedMessages(conversationId).filter((it): it is FailedSend => isSend(it)));

const isSend = ({ command }: AttentionItem): boolean => command?.name === "send_message";
