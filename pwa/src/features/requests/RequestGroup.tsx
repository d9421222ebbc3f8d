/** Owns requests that a client made at once: one card with one message, answered all together or one by one. */
import { useLocation } from "wouter";
import type { RequestCard as Request } from "../../core";
import { Words } from "../../parts/RequestStatus";
import { Button, Card, useBusy } from "../../ui";
import { approveAll } from "./answer";
import { AnswersOf, Facts, Who } from "./RequestCard";

interface RequestGroupProps {
  /** Requests that wait, by their time; at least two. */
  cards: readonly [Request, ...Request[]];
  /** The one to answer first: the screen has one strong act. */
  isNext: boolean;
  onDecline: (card: Request) => void;
}

export function RequestGroup({ cards, isNext, onDecline }: RequestGroupProps) {
  const { busy, run } = useBusy();
  const [, navigate] = useLocation();
  const [first] = cards;
  const title = `request-${first.id}`;
  const open = cards.filter((it) => it.only_decline === null);
  const isFree = open.every((it) => it.obstacles.length === 0);
  const hasNewPrice = open.some((it) => it.price_now !== null);
  const count = open.length === cards.length ? `all ${open.length}` : `${open.length} of ${cards.length}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3" next={isNext}>
      <Who card={first} titleId={title} />
      <p className="num text-16 font-bold">{cards.length} requests, made at once</p>
      <Words of={first.asked_by ?? first.client?.name} said={first.message} />
      {hasNewPrice && (
        <p className="text-14 text-ink-2">
          If you approve them together, each is booked at the price it was requested for.
        </p>
      )}
      {open.length > 1 && (
        <Button
          kind={isNext && isFree ? "primary" : "quiet"}
          busy={busy}
          onClick={() => void run(() => approveAll(open, navigate))}
        >
          Approve {count}
          {!isFree && " anyway"}
        </Button>
      )}
      <ul className="grid gap-3">
        {cards.map((card) => (
          <li key={card.id} className="grid grid-cols-1 gap-3 border-t border-line pt-3">
            <section aria-label={card.called} className="grid grid-cols-1 gap-3">
              <Facts card={card} />
              {card.message !== first.message && <Words of={card.asked_by ?? card.client?.name} said={card.message} />}
              <AnswersOf card={card} isNext={false} onDecline={() => onDecline(card)} />
            </section>
          </li>
        ))}
      </ul>
    </Card>
  );
}
