/** Owns something that a pet parent has asked for: when, for how much, and what was answered. */
import { Clock } from "lucide-react";
import { formatDollars, type RequestCard } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { RequestStatus, Words } from "../../parts/RequestStatus";
import { ButtonLink, Card, Chip } from "../../ui";
import { useSitterName } from "./ownClient";
import { Withdraw } from "./Withdraw";

export function RequestItem({ card }: { card: RequestCard }) {
  const isPending = useReplica((phone) => phone.isPending("walk_request", card.id));
  const sitter = useSitterName();
  const title = `request-${card.id}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <div className="num flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-[min(100%,11rem)] wrap-anywhere">
          <h3 id={title} className="font-bold">
            {card.subject ? card.title : card.heading}
          </h3>
          {card.series && <p className="text-14 text-ink-2">{card.series}</p>}
          {card.subject && <p>{card.heading}</p>}
          {card.time && <p>{card.time}</p>}
          <p className="text-14 text-ink-2">
            {[card.what, card.pets.map((it) => it.name).join(", ")].filter(Boolean).join(" · ")}
          </p>
          {card.asked_for && <p className="text-14 text-ink-2">You asked for {card.asked_for}</p>}
        </div>
        {(!card.subject || card.subject.kind === "series") && (
          <p className="text-right">
            <span className="block text-20 font-bold">{formatDollars(card.price)}</span>
            <span className="text-14 text-ink-2">{card.subject ? "estimated for each visit" : "estimated"}</span>
          </p>
        )}
      </div>
      <Words of="You" said={card.message} />
      <Words of={sitter} said={card.sitter_response} />
      <div className="flex flex-wrap items-center gap-2">
        {card.is_past ? <Chip icon={<Clock aria-hidden />}>Not answered</Chip> : <RequestStatus status={card.status} />}
        {isPending && <WaitingMark />}
        {card.status === "pending" && <Withdraw request={card} className="ml-auto" />}
        {card.scheduled_service_id && (
          <ButtonLink kind="plain" className="ml-auto" to={`/client/visits/${card.scheduled_service_id}`}>
            Open the visit
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
