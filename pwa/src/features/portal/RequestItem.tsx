/** Owns something that a pet parent has asked for: when, for how much, and what was answered. */
import { CalendarClock, Clock } from "lucide-react";
import { formatDollars, type RequestCard, setApart } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { hasPrice, ofPrice, RequestStatus, Words } from "../../parts/RequestStatus";
import { ButtonLink, Chip } from "../../ui";
import { useSitterName } from "./ownClient";
import { useAskedAgain } from "./sameAgain";
import { whenBooked } from "./tellWhenRequested";
import { Withdraw } from "./Withdraw";

export function RequestItem({ card }: { card: RequestCard }) {
  const isPending = useReplica((phone) => phone.isPending("walk_request", card.id));
  // Nobody is asked for an answer as long as it may be booked.
  const isBooking = isPending && card.books_when_sent;
  const sitter = useSitterName();
  const again = useAskedAgain(card);
  const title = `request-${card.id}`;
  const facts = [
    card.subject && card.heading,
    card.series,
    card.what,
    card.pets.map((it) => it.name).join(", "),
    hasPrice(card) && [formatDollars(card.price), ofPrice(card)].filter(Boolean).join(" "),
  ];
  return (
    <article aria-labelledby={title} className="grid grid-cols-1 gap-2 px-4 py-2">
      <div className="num flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-[min(100%,11rem)] wrap-anywhere">
          <h3 className="font-medium">
            <span id={title}>{card.subject ? card.title : card.heading}</span>
            {card.time && (
              <>
                , <span className="inline-block">{card.time}</span>
              </>
            )}
          </h3>
          <p className="text-14 text-ink-2">{facts.filter(Boolean).join(" · ")}</p>
          {card.asked_by && (
            <p className="text-14 text-ink-2">
              Requested by <bdi>{card.asked_by}</bdi>
            </p>
          )}
          {card.asked_for && (
            <p className="text-14 text-ink-2">
              {card.asked_by ? <bdi>{card.asked_by}</bdi> : "You"} asked for {card.asked_for}
            </p>
          )}
        </div>
        {card.is_past && <Chip icon={<Clock aria-hidden />}>Not answered</Chip>}
        {!card.is_past && !isBooking && <RequestStatus {...card} booked="Booked" />}
        {isPending && <WaitingMark />}
        {card.status === "pending" && <Withdraw request={card} />}
        {card.scheduled_service_id && (
          <ButtonLink kind="plain" to={`/client/visits/${card.scheduled_service_id}`}>
            Open the visit
          </ButtonLink>
        )}
      </div>
      {isBooking && <p className="text-14 text-ink-2 wrap-anywhere">{whenBooked(1, setApart(sitter))}</p>}
      {card.status !== "pending" && <Words of={card.asked_by ?? "You"} said={card.message} />}
      <Words of={sitter} said={card.sitter_response} />
      {again && (
        <ButtonLink
          kind="quiet"
          className="justify-self-start"
          to={again.to}
          icon={<CalendarClock aria-hidden className="size-5" />}
        >
          {again.label}
        </ButtonLink>
      )}
    </article>
  );
}
