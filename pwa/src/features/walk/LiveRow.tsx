/** Owns what is said below the last event of a walk or visit: whether its client sees it, and sending it or taking it back. */
import { Check, Send } from "lucide-react";
import type { LiveRecipient, SendLive } from "../../core";
import type { WalkEvent } from "../../core/walk";
import { SEND_STATE, useReplica, useSendState } from "../../data";
import type { WalkRow } from "../../data/walks/walks";
import { useRefusedPhotos } from "../../parts/visit/SentLive";
import { Button } from "../../ui";
import { recipientsOf, sendLive, takeBack } from "./live";

/** The clients to whom the last event may be sent; none without an event. */
export const useRecipients = (row: WalkRow, last: WalkEvent | undefined): LiveRecipient[] =>
  useReplica((phone) => (last ? recipientsOf(phone, row, last) : []));

export function LiveRow({ event, recipients }: { event: WalkEvent; recipients: readonly LiveRecipient[] }) {
  return (
    <ul aria-label="Sent while under way" className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
      {recipients.map((it) => (
        <li key={it.client_id} className="flex min-w-0 flex-wrap items-center justify-center gap-2">
          {it.sent ? <Sent to={it} id={it.sent.id} /> : <Offer to={it} event={event} />}
        </li>
      ))}
    </ul>
  );
}

/** A photo that the server turned down may be sent once more. */
function Offer({ to, event }: { to: LiveRecipient; event: WalkEvent }) {
  const refused = useRefusedPhotos(to.service_id).find((it) => it.event_id === event.id);
  return (
    <>
      {refused && (
        <span role="status" className="min-w-0 text-14 text-danger wrap-anywhere">
          Not sent to {to.name}. {refused.text}.
        </span>
      )}
      <Button
        kind="quiet"
        icon={<Send aria-hidden className="size-5" />}
        onClick={() => void sendLive(to, event, refused?.id)}
      >
        {refused ? `Send to ${to.name} again` : `Send to ${to.name}`}
      </Button>
    </>
  );
}

/** It is called sent once the server has it: until then the client sees nothing of it. */
function Sent({ to, id }: { to: LiveRecipient; id: string }) {
  const waits = useReplica((phone) =>
    phone.outbox().some(({ mutation: { name, args } }) => {
      const { events } = args as SendLive;
      return name === "send_live" && events?.some((it) => it.id === id);
    }),
  );
  const state = useSendState();
  return (
    <>
      <span role="status" className="flex min-w-0 items-center gap-1 text-14 text-ink-2">
        {!waits && <Check aria-hidden className="size-4 shrink-0" />}
        <span className="min-w-0 wrap-anywhere">
          {waits ? `${SEND_STATE[state]}: for ${to.name}` : `Sent to ${to.name}`}
        </span>
      </span>
      <Button
        kind="plain"
        aria-label={`Take back from ${to.name}`}
        className="px-2! text-14! underline underline-offset-2"
        onClick={() => void takeBack(to)}
      >
        Take back
      </Button>
    </>
  );
}
