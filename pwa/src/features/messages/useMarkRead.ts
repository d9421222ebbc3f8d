/** Owns when messages count as read: when they were on a screen that somebody could see. */
import { useEffect } from "react";
import type { Thread } from "../../core";
import { save } from "../../data";

/** `isAtEnd`: whether the newest is in sight. */
export function useMarkRead({ card: { id, name }, to_mark_read }: Thread, isAtEnd: boolean): void {
  useEffect(() => {
    if (to_mark_read === null || !isAtEnd) return undefined;
    const done = new AbortController();
    const mark = () => {
      if (document.visibilityState === "hidden" || done.signal.aborted) return;
      done.abort();
      const args = { id, message_id: to_mark_read };
      // A full phone says it elsewhere, and what was not noted is noted with the next look.
      void save({ name: "mark_conversation_read", args }, `Read the messages of ${name}`).catch(() => undefined);
    };
    document.addEventListener("visibilitychange", mark, { signal: done.signal });
    mark();
    return () => done.abort();
  }, [id, name, to_mark_read, isAtEnd]);
}
