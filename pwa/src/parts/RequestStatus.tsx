/** Owns what both sides of a request see alike: where it stands, and what was said. */
import { Check, Clock, X } from "lucide-react";
import type { RequestCard } from "../core";
import { Chip, StatusChip } from "../ui";

interface RequestStatusProps extends Pick<RequestCard, "status" | "booked_at_once"> {
  /** Words for a booking without an answer; a pet parent need not be told that nobody was asked. */
  booked?: string;
}

export function RequestStatus({ status, booked_at_once, booked = "Booked without asking" }: RequestStatusProps) {
  if (status === "pending") {
    return (
      <Chip kind="tag" icon={<Clock aria-hidden />}>
        Pending
      </Chip>
    );
  }
  if (status === "approved") {
    return (
      <Chip kind="scheduled" icon={<Check aria-hidden />}>
        {booked_at_once ? booked : "Approved"}
      </Chip>
    );
  }
  return status === "declined" ? (
    <Chip kind="danger" icon={<X aria-hidden />}>
      Declined
    </Chip>
  ) : (
    <StatusChip status={status} />
  );
}

/** True for a request that asks for visits, or for other days of a stay, which have a price of their own. */
export const hasPrice = ({ subject }: RequestCard): boolean =>
  !subject || subject.kind === "series" || (subject.kind === "move_service" && Boolean(subject.end_date));

/** Words beside the price of a request: `estimated`, `estimated for each visit`, `for each visit`; empty for what is booked. */
export const ofPrice = ({ subject, is_estimate }: RequestCard): string =>
  [is_estimate && "estimated", subject?.kind === "series" && "for each visit"].filter(Boolean).join(" ");

export function Words({ of = "The client", said }: { of?: string | undefined; said: string }) {
  if (!said) return null;
  return (
    <figure className="rounded-small bg-sunken px-4 py-3">
      <figcaption className="text-14 text-ink-2">
        <bdi>{of}</bdi>
      </figcaption>
      <blockquote dir="auto" className="whitespace-pre-line wrap-anywhere">
        {said}
      </blockquote>
    </figure>
  );
}
