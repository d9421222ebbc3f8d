/** Owns something that a pet parent has asked for: when, for how much, what was answered, and taking it back. */
import { Clock, Trash2, Undo2 } from "lucide-react";
import { formatDollars, type RequestCard } from "../../core";
import { business, canSendNow, save, useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { RequestStatus, Words } from "../../parts/RequestStatus";
import { Button, ButtonLink, Card, Chip, confirm, toast } from "../../ui";
import { useSitterName } from "./ownClient";

export function RequestItem({ card }: { card: RequestCard }) {
  const isPending = useReplica((phone) => phone.isPending("walk_request", card.id));
  const sitter = useSitterName();
  const title = `request-${card.id}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <div className="num flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-[min(100%,11rem)] wrap-anywhere">
          <h3 id={title} className="font-bold">
            {card.heading}
          </h3>
          <p>{card.time}</p>
          <p className="text-14 text-ink-2">
            {card.what}
            {card.pets.length > 0 && ` · ${card.pets.map((it) => it.name).join(", ")}`}
          </p>
          {card.asked_for && <p className="text-14 text-ink-2">You asked for {card.asked_for}</p>}
        </div>
        <p className="text-right">
          <span className="block text-20 font-bold">{formatDollars(card.price)}</span>
          <span className="text-14 text-ink-2">estimated</span>
        </p>
      </div>
      <Words of="You" said={card.message} />
      <Words of={sitter} said={card.sitter_response} />
      <div className="flex flex-wrap items-center gap-2">
        {card.is_past ? <Chip icon={<Clock aria-hidden />}>Not answered</Chip> : <RequestStatus status={card.status} />}
        {isPending && <WaitingMark />}
        {card.status === "pending" && <Withdraw card={card} />}
        {card.scheduled_service_id && (
          <ButtonLink kind="plain" className="ml-auto" to={`/client/visits/${card.scheduled_service_id}`}>
            Open the visit
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

/** Button that takes a request back. A past one, which nobody will answer any more, is only removed. */
function Withdraw({ card }: { card: RequestCard }) {
  const Icon = card.is_past ? Trash2 : Undo2;
  return (
    <Button
      kind="plain"
      className="ml-auto"
      icon={<Icon aria-hidden className="size-5" />}
      onClick={() => void withdraw(card)}
    >
      {card.is_past ? "Remove" : "Withdraw"}
    </Button>
  );
}

async function withdraw({ id, heading, time, is_past }: RequestCard): Promise<void> {
  // Of a request that was not sent itself the sitter never hears.
  const isLate = !canSendNow() && !business().phone.isPending("walk_request", id);
  const { act, text, done } = is_past ? REMOVAL : isLate ? LATE_WITHDRAWAL : WITHDRAWAL;
  const question = {
    title: `${act} this request?`,
    text: `${heading}, ${time}. ${text}`,
    action: act,
    cancel: "Keep it",
    danger: true,
  };
  if (!(await confirm(question))) return;
  try {
    const result = await save({ name: "withdraw_request", args: { id } }, `${act} the request for ${heading}, ${time}`);
    if (result.ok) toast.info(done);
    else toast.error(result.text);
  } catch {
    toast.error(`Failed to ${act.toLowerCase()} the request`);
  }
}

const REMOVAL = { act: "Remove", text: "It was not answered, and its day is over.", done: "Request removed" };
const WITHDRAWAL = { act: "Withdraw", text: "Your sitter is not asked any more.", done: "Request withdrawn" };
const LATE_WITHDRAWAL = {
  act: "Withdraw",
  text: "Your sitter hears of it once it is sent. If they approve it before that, the visit stands, and you are told.",
  done: "Withdrawn here. Your sitter hears of it once it is sent.",
};
