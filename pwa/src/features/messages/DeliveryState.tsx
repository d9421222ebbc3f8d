/** Owns how far a message of one's own has got, in words: it waits and why, is sent, or read. */
import { Check, CheckCheck, Clock } from "lucide-react";
import type { ReactNode } from "react";
import type { MessageState } from "../../core";
import { SEND_STATE, useSendState } from "../../data";

const STATES: Record<Exclude<MessageState, "waiting">, { icon: ReactNode; text: string }> = {
  sent: { icon: <Check aria-hidden />, text: "Sent" },
  read: { icon: <CheckCheck aria-hidden />, text: "Read" },
};

/** `isUnread` is true if the other one has no login. */
export function DeliveryState({ state, isUnread = false }: { state: MessageState; isUnread?: boolean }) {
  const ofSending = useSendState();
  const waits = (text: string) => ({ icon: <Clock aria-hidden />, text });
  const toRead = state === "sent" && isUnread ? waits("Waits for a login") : undefined;
  const { icon, text } = state === "waiting" ? waits(SEND_STATE[ofSending]) : (toRead ?? STATES[state]);
  return (
    <p className="flex items-center justify-end gap-1 text-12 text-ink-2 [&>svg]:size-4">
      {icon}
      {text}
    </p>
  );
}
