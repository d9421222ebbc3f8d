/** Owns one request: whose, which pets, when and for how much, the words of both sides, and the answers to it. */
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { formatDollars, type RequestCard as Request } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { ContactLinks } from "../../parts/contact/ContactLinks";
import { PetAvatar } from "../../parts/PetAvatar";
import { RelativeTime } from "../../parts/RelativeTime";
import { hasPrice, ofPrice, RequestStatus, Words } from "../../parts/RequestStatus";
import { Banner, Button, Card, cx, Segmented, useBusy } from "../../ui";
import { useOpenMessage } from "../messages";
import { approve, undoBooking } from "./answer";
import { GrantAnswers } from "./GrantAnswers";

interface RequestCardProps {
  card: Request;
  /** The one to answer first: the screen has one strong act. */
  isNext: boolean;
  onDecline: () => void;
}

export function RequestCard({ card, isNext, onDecline }: RequestCardProps) {
  const title = `request-${card.id}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3" next={isNext}>
      <Who card={card} titleId={title} />
      <Facts card={card} />
      <Words of={card.asked_by ?? card.client?.name} said={card.message} />
      {card.sitter_response && <Words of="You" said={card.sitter_response} />}
      {card.status === "pending" ? (
        <AnswersOf card={card} isNext={isNext} onDecline={onDecline} />
      ) : (
        card.scheduled_service_id && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Link
              to={`/scheduling?date=${card.date}&service=${card.scheduled_service_id}`}
              className="hit font-medium underline decoration-line decoration-2 underline-offset-4"
            >
              Open the service
            </Link>
            {card.can_undo && <UndoBooking card={card} serviceId={card.scheduled_service_id} />}
          </div>
        )
      )}
    </Card>
  );
}

/** Takes back what the client has booked without asking, as long as that can be. */
function UndoBooking({ card, serviceId }: { card: Request; serviceId: string }) {
  const { busy, run } = useBusy();
  return (
    <Button
      kind="quiet"
      busy={busy}
      icon={<Undo2 aria-hidden className="size-5" />}
      onClick={() => void run(() => undoBooking(card, serviceId))}
    >
      Undo the booking
    </Button>
  );
}

/** The answers to a request that waits. */
export function AnswersOf(props: RequestCardProps) {
  return props.card.subject ? <GrantAnswers {...props} /> : <Answers {...props} />;
}

/** Client and pets of a request. */
export function Who({
  card: { id, status, client, asked_by, pets, created_at, booked_at_once },
  titleId,
}: {
  card: Request;
  titleId: string;
}) {
  const isPending = useReplica((phone) => phone.isPending("walk_request", id));
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <RequestStatus status={status} booked_at_once={booked_at_once} />
        <span className="num text-14 text-ink-2">
          {booked_at_once ? "booked" : "asked"}{" "}
          {asked_by && (
            <>
              by <bdi>{asked_by}</bdi>{" "}
            </>
          )}
          <RelativeTime at={created_at} inSentence />
        </span>
        {isPending && <WaitingMark />}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-2">
        {pets.map((pet) => (
          <li key={pet.id} className="flex min-w-0 items-center gap-2">
            <PetAvatar pet={pet} />
            <span className="min-w-0 wrap-anywhere">
              <bdi className="block font-bold">{pet.name}</bdi>
              {pet.breed && <bdi className="block text-14 text-ink-2">{pet.breed}</bdi>}
            </span>
          </li>
        ))}
      </ul>
      <div className="min-w-0 wrap-anywhere">
        <h2 id={titleId} className="text-16 font-bold">
          {client ? (
            <Link
              to={`/clients/${client.id}`}
              className="hit underline decoration-line decoration-2 underline-offset-4"
            >
              <bdi>{client.name}</bdi>
            </Link>
          ) : (
            "A client who was deleted"
          )}
        </h2>
        {client?.address && (
          <p className="text-14 text-ink-2">
            <bdi>{client.address}</bdi>
          </p>
        )}
      </div>
    </div>
  );
}

/** Time, kind and price of a request. */
export function Facts({ card }: { card: Request }) {
  const { subject, title, series, heading, time, what, asked_for, price, former_price, is_estimate } = card;
  return (
    <dl className="num flex flex-wrap justify-between gap-x-4 gap-y-2">
      {/* A change is said in sentences: on a phone they have the whole line, and the price the next one. */}
      <div
        className={cx("min-w-0 flex-1 wrap-anywhere", subject ? "basis-[min(100%,18rem)]" : "basis-[min(100%,11rem)]")}
      >
        {subject && (
          <>
            <dt className="sr-only">Asked for</dt>
            <dd className="text-16 font-bold">{title}</dd>
            {series && <dd className="text-14 text-ink-2">{series}</dd>}
          </>
        )}
        <dt className="sr-only">When</dt>
        <dd className={subject ? undefined : "font-bold"}>{heading}</dd>
        {time && <dd>{time}</dd>}
        {what && <dd className="text-14 text-ink-2">{what}</dd>}
        {asked_for && <dd className="text-14 text-ink-2">Asked for: {asked_for}</dd>}
      </div>
      {hasPrice(card) && (
        <div
          className={cx(
            "ml-auto text-right",
            subject && "max-md:ml-0 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3",
          )}
        >
          <dt className="sr-only">{is_estimate ? "Estimated price" : "Price"}</dt>
          <dd className="text-20 font-bold">{formatDollars(price)}</dd>
          <dd className="text-14 text-ink-2 empty:hidden">{ofPrice(card)}</dd>
          {former_price !== null && <dd className="text-14 text-ink-2">instead of {formatDollars(former_price)}</dd>}
        </div>
      )}
    </dl>
  );
}

/** Price that is approved: the one that the client was told, or the one by the rates now. */
type PriceChoice = "asked" | "now";

function Answers({ card, isNext, onDecline }: RequestCardProps) {
  const { busy, run } = useBusy();
  const [, navigate] = useLocation();
  const { obstacles, free, only_decline, price_now } = card;
  const [choice, setChoice] = useState<PriceChoice>("asked");
  const price = price_now !== null && choice === "now" ? price_now : card.price;
  const isFree = obstacles.length === 0;
  const isDayFull = !isFree && free.length === 0;
  return (
    <>
      {only_decline && <Banner kind="info">{only_decline}</Banner>}
      {card.remarks.map((it) => (
        <Banner key={it} kind="info">
          {it}
        </Banner>
      ))}
      {price_now !== null && (
        <div className="grid gap-2">
          <p className="text-14 text-ink-2">
            Asked for at {formatDollars(card.price)}. By your rates it is now {formatDollars(price_now)}. Approve at
          </p>
          <Segmented
            label="Price to approve at"
            value={choice}
            onChange={setChoice}
            options={[
              { value: "asked", label: `${formatDollars(card.price)}, as asked` },
              { value: "now", label: `${formatDollars(price_now)}, by your rates` },
            ]}
          />
        </div>
      )}
      {obstacles.length > 0 && (
        <Banner kind="tag">
          <p className="font-medium">This time is not free</p>
          <ul className="num list-disc pl-5">
            {obstacles.map((it) => (
              <li key={it.obstacle.id} className="wrap-anywhere">
                {it.text}
              </li>
            ))}
          </ul>
          {isDayFull && <p>Nothing else is free on that day.</p>}
        </Banner>
      )}
      {free.length > 0 && (
        <div role="group" aria-label="Approve at another time" className="grid gap-2">
          <p className="text-14 text-ink-2">Free that day: approve at</p>
          <div className="flex flex-wrap gap-2">
            {free.map((it) => (
              <Button
                key={it.value}
                kind="quiet"
                disabled={busy}
                onClick={() => void run(() => approve(card, { start_time: it.value, price }, navigate))}
              >
                <span className="num">
                  {it.label}
                  {it.suggested && ", suggested"}
                </span>
              </Button>
            ))}
          </div>
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-3">
        {isDayFull && <Write card={card} />}
        <Button kind="quiet" disabled={busy} onClick={onDecline} className="max-md:flex-1">
          Decline
        </Button>
        {!only_decline && (
          <Button
            kind={isFree && isNext ? "primary" : "quiet"}
            busy={busy}
            onClick={() => void run(() => approve(card, { overlap_ok: !isFree, price }, navigate))}
            className="max-md:flex-1"
          >
            {isFree ? "Approve" : "Approve anyway"}
          </Button>
        )}
      </div>
    </>
  );
}

/** To find another day together. */
function Write({ card: { client, can_message } }: { card: Request }) {
  const openMessage = useOpenMessage();
  if (!client || !can_message) return <ContactLinks client={client} ways={["message"]} />;
  return (
    <Button kind="quiet" onClick={() => openMessage(client.id)} className="max-md:flex-1">
      Write
    </Button>
  );
}
