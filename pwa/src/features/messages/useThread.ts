/** Owns how much of a conversation is shown: its newest page, all up to a message that was looked for, and older ones. */
import { useState } from "react";
import { deviceClock, useMinute } from "../../browser/clock";
import { messagingLimits, type Thread } from "../../core";
import { business, useRead } from "../../data";

interface Shown {
  /** Nothing where there is no such conversation. */
  thread: Thread | undefined;
  /** Shows a page more. */
  showOlder: () => void;
}

/** `found` is the id of a message in it. */
export function useThread(clientId: string, found?: string): Shown {
  const now = useMinute();
  const { page } = messagingLimits();
  const [most, setMost] = useState(page);
  const thread = useRead(
    (phone) => phone.thread(business().store.userId, clientId, most, found, deviceClock(now), now),
    clientId,
    most,
    found,
    now,
  );
  const shown = thread?.days.reduce((sum, it) => sum + it.messages.length, 0) ?? 0;
  return { thread, showOlder: () => setMost(Math.max(most, shown) + page) };
}
