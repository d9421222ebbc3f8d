/** Owns saying thanks for a visit or a report with one tap, as a message to the sitter. */
import { HeartHandshake } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { deviceClock, useMinute } from "../../browser/clock";
import { type MessageView, messagingLimits, plusDays, type Report, type ServiceView } from "../../core";
import { business, useRead, useReplica } from "../../data";
import { sendQuickMessage } from "../../parts/contact/quickMessage";
import { useToday, WEEK_DAYS } from "../../parts/dates";
import { Button, useBusy } from "../../ui";
import { DeliveryState } from "../messages";
import { ownClientId, useSitterName } from "./ownClient";

const THANKS = "Thank you!";

/** For a visit that was completed. */
export function ThanksForVisit({ visit }: { visit: ServiceView }) {
  if (visit.status !== "completed") return null;
  return <SayThanks day={visit.end_date ?? visit.date} />;
}

/** For a report that is of no visit. */
export function ThanksForReport({ report: { started_at } }: { report: Report }) {
  const day = useReplica((phone) => phone.today(Date.parse(started_at)));
  return <SayThanks day={day} />;
}

/**
 * Button for something of this day, offered for a week and until thanks were said, on the day or since. Once it was
 * pressed it says how far the message is.
 */
function SayThanks({ day }: { day: string }) {
  const id = ownClientId();
  const name = useSitterName();
  const now = useMinute();
  const today = useToday();
  const { busy, run } = useBusy();
  const [sent, setSent] = useState<string>();
  const { userId } = business().store;
  const thread = useRead(
    (phone) => phone.thread(userId, id, messagingLimits().page, undefined, deviceClock(now), now),
    id,
    now,
  );
  const since = thread?.days.filter((it) => it.date >= day).flatMap((it) => it.messages) ?? [];
  const thanks = since.filter(isThanks);
  const own = thanks.find((it) => it.id === sent);
  if (own?.state) {
    return (
      <p role="status" className="relative flex min-h-12 flex-wrap items-center gap-x-3 text-14">
        <Link ref={focus} to={`/client/messages/${id}`} className="hit font-medium underline underline-offset-4">
          You said thanks
        </Link>
        <DeliveryState state={own.state} />
      </p>
    );
  }
  if (!thread || thread.closed || thanks.length > 0 || plusDays(day, WEEK_DAYS) < today) return null;
  return (
    <Button
      kind="plain"
      className="relative"
      busy={busy}
      icon={<HeartHandshake aria-hidden className="size-5" />}
      onClick={() => void run(async () => setSent(await sendQuickMessage({ id, name }, THANKS, true)))}
    >
      Say thanks
    </Button>
  );
}

/** Keeps the focus, which the pressed button had, on what takes its place. */
const focus = (link: HTMLAnchorElement | null) => link?.focus({ preventScroll: true });

const isThanks = ({ is_mine, is_deleted, parts }: MessageView): boolean =>
  is_mine && !is_deleted && parts.map((it) => it.text).join("") === THANKS;
