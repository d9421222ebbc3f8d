/** Owns conversations for component tests: what was said, in order, as the feed would tell it. */
import { type Client, type Conversation, type Message, newId } from "../src/core";
import { AT, type FeedRow } from "./phone";

/** One thing that was said. */
interface Said {
  by: "sitter" | "client";
  content?: string;
  photo?: string | null;
  at: string;
}

interface Reading {
  /** How many of the other's messages each side has read. */
  sitter_read?: number;
  client_read?: number;
  archived?: boolean;
}

/** The conversation with a client and all of its messages. */
export function aConversation(client: Client, said: readonly Said[], reading: Reading = {}): FeedRow[] {
  const { sitter_read = 0, client_read = 0, archived = false } = reading;
  const counts = { sitter: 0, client: 0 };
  const messages = said.map(({ by, content = "", photo = null, at }, place): Message => {
    counts[by] += 1;
    return {
      id: newId(),
      client_id: client.id,
      number: place + 1,
      sender_number: counts[by],
      sender_type: by,
      client_user_id: by === "client" ? client.client_user_id : null,
      message_type: photo ? "image" : "text",
      content,
      photo,
      created_at: at,
    };
  });
  const last = messages.at(-1);
  const conversation: Conversation = {
    id: client.id,
    client_name: client.name,
    sitter_count: counts.sitter,
    client_count: counts.client,
    sitter_read,
    client_read,
    sitter_read_at: sitter_read > 0 ? AT : null,
    client_read_at: client_read > 0 ? AT : null,
    archived_by_sitter: archived,
    archived_by_client: false,
    last_message_content: last?.content ?? "",
    last_message_type: last?.message_type ?? "text",
    last_message_sender_type: last?.sender_type ?? "sitter",
    last_message_created_at: last?.created_at ?? null,
    created_at: AT,
  };
  return [{ t: "conversation", d: conversation }, ...messages.map((d) => ({ t: "message", d }))];
}

/** So many minutes after ten in the morning of this day, in UTC. */
export const minuteOf = (day: string, minute: number): string =>
  new Date(Date.parse(`${day}T10:00:00Z`) + minute * 60_000).toISOString();
