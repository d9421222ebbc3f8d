/**
 * Owns what a payer reads who is back from Stripe: what the invoice here and the server know of the payment, asked again
 * until it is known.
 */
import { Check, CircleAlert, Clock, CreditCard, type LucideIcon, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import type { CardOutcome, InvoiceCard } from "../../core";
import { noConnection, sendNow, useReplica } from "../../data";
import { cardOutcome } from "../../data/portal/portal";
import type { ApiError } from "../../data/server/api";
import { whenBack } from "../../data/sync/sync";
import { Banner, Skeleton } from "../../ui";
import { type CardReturn, cardReturn, INVOICES, invoicePage } from "./cardReturn";
import { useIsLeaving } from "./leavingToPay";

interface Followed {
  back: CardReturn;
  /** The invoice, where it is among those of this phone. */
  card: InvoiceCard | undefined;
  /** The last answer. */
  outcome: CardOutcome | undefined;
  /** Why the last question has no answer. */
  trouble: ApiError | undefined;
  /** True while the invoice may have been paid: nobody is to pay it twice. */
  mayBePaid: boolean;
}

/** No client has more invoices; one is looked for among them. */
const MOST_INVOICES = 10_000;
/** Milliseconds between two questions, and how many are asked before the payer looks again. */
const AGAIN_MS = 5_000;
const MOST_QUESTIONS = 24;
/** The longest pause after questions that have failed. */
const LONGEST_PAUSE_MS = 60_000;

/** Returns what is known of the payment that the address says one comes back from. */
export function useAfterPaying(): Followed | undefined {
  const [query] = useSearchParams();
  const now = useMinute();
  const isLeaving = useIsLeaving();
  const back = isLeaving ? undefined : cardReturn(query);
  const link = back && `/invoice/${back.share}`;
  const card = useReplica((phone) =>
    link ? phone.parentInvoices(MOST_INVOICES, now).cards.find((it) => it.link === link) : undefined,
  );
  const isOwed = card !== undefined && card.balance > 0;
  const { outcome, trouble } = useOutcome(card?.id, back?.hasPaid ?? false, isOwed);
  if (!back) return undefined;
  const progress = outcome?.progress;
  const isUnknown = progress === undefined || progress === "unconfirmed";
  const mayBePaid = isOwed && (progress === "on_its_way" || (back.hasPaid && isUnknown));
  return { back, card, outcome, trouble, mayBePaid };
}

type Answered = Pick<Followed, "outcome" | "trouble">;

const NOTHING: Answered = { outcome: undefined, trouble: undefined };

/** Asks the server, and again while a payment may come, when the network is back, and when the payer looks again. */
function useOutcome(id: string | undefined, hasPaid: boolean, isOwed: boolean): Answered {
  const [answered, setAnswered] = useState(NOTHING);
  useEffect(() => {
    setAnswered(NOTHING);
    if (id === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = MOST_QUESTIONS;
    let failures = 0;
    const ask = async () => {
      clearTimeout(timer);
      const answer = await cardOutcome(id, hasPaid, stop.signal);
      if (stop.signal.aborted) return;
      setAnswered(({ outcome }) =>
        answer.ok ? { outcome: answer.value, trouble: undefined } : { outcome, trouble: answer.error },
      );
      failures = answer.ok ? 0 : failures + 1;
      const progress = answer.ok ? answer.value.progress : undefined;
      // The invoice comes with the next round, if nothing has told of it.
      if (progress === "paid" && isOwed) sendNow();
      left -= 1;
      const isOpen = progress === undefined || progress === "unconfirmed" || progress === "on_its_way";
      if (!isOpen || left <= 0) return;
      // The payer may have looked again meanwhile, with a question of its own.
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), Math.min(AGAIN_MS * 2 ** failures, LONGEST_PAUSE_MS));
    };
    const look = () => {
      if (document.visibilityState !== "visible") return;
      left = MOST_QUESTIONS;
      failures = 0;
      void ask();
    };
    void ask();
    document.addEventListener("visibilitychange", look);
    const leave = whenBack(look);
    return () => {
      stop.abort();
      clearTimeout(timer);
      leave();
      document.removeEventListener("visibilitychange", look);
    };
  }, [id, hasPaid, isOwed]);
  return answered;
}

export function AfterPaying({ followed }: { followed: Followed }) {
  const [, navigate] = useLocation();
  const { back, card } = followed;
  const close = (
    <button type="button" onClick={() => navigate(INVOICES, { replace: true })}>
      Close
    </button>
  );
  if (!card) {
    return (
      <Banner
        role="status"
        kind="plain"
        action={
          <>
            <a href={invoicePage(back)}>Open the invoice</a>
            {close}
          </>
        }
      >
        This invoice is not in your list here.
      </Banner>
    );
  }
  const said = wordsOf(followed);
  if (said === undefined) return <Skeleton className="h-16 w-full" />;
  if (said === "") return null;
  const { kind, icon: Icon } = lookOf(followed);
  return (
    <Banner role="status" kind={kind} icon={<Icon aria-hidden />} action={close}>
      <p className="num">Invoice {card.number}</p>
      <p>{said}</p>
    </Banner>
  );
}

/** The outcome as far as it still holds where the next question has failed: a payment may have come since. */
function heldOutcome({ outcome, trouble }: Followed): CardOutcome | undefined {
  const isLasting = outcome?.progress === "paid" || outcome?.progress === "on_its_way";
  return trouble && !isLasting ? undefined : outcome;
}

/** The sentence on the payment; nothing while the server is asked. */
function wordsOf(followed: Followed): string | undefined {
  const { card, trouble } = followed;
  const outcome = heldOutcome(followed);
  if (outcome) return outcome.says;
  if (card && card.balance <= 0) return card.standing;
  if (!trouble) return undefined;
  const why = trouble.kind === "offline" ? `${noConnection()}.` : trouble.text;
  return `${why} Once Walkies can be reached, this shows whether your payment went through.`;
}

type Look = { kind: "ok" | "info" | "tag" | "plain" | "danger"; icon: LucideIcon };

const LOOKS: Record<CardOutcome["progress"], Look> = {
  paid: { kind: "ok", icon: Check },
  on_its_way: { kind: "info", icon: Clock },
  unconfirmed: { kind: "tag", icon: Clock },
  not_paid: { kind: "plain", icon: CreditCard },
  turned_down: { kind: "danger", icon: CircleAlert },
  nothing: { kind: "plain", icon: CreditCard },
};

function lookOf(followed: Followed): Look {
  const { card } = followed;
  const outcome = heldOutcome(followed);
  if (outcome) return LOOKS[outcome.progress];
  return card && card.balance <= 0 ? LOOKS.paid : { kind: "tag", icon: WifiOff };
}
