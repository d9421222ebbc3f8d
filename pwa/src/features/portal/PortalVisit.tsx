/**
 * Owns one visit as a pet parent sees it: when, for whom, what it costs and why, what was told of it, and asking for a
 * change or for the same again.
 */
import { ArrowLeft, CalendarClock, CalendarMinus, CalendarPlus, ReceiptText, Repeat } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Link, useLocation, useRoute, useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { addressId, formatDateHeading, formatDollars, type ServiceView } from "../../core";
import { useHasPulledSince, useRead, useReplica } from "../../data";
import { NotHere } from "../../parts/NotHere";
import { PetAvatar } from "../../parts/PetAvatar";
import { ZoneNote } from "../../parts/ZoneNote";
import { Button, ButtonLink, Card, Chip, PageBody, PageHeader } from "../../ui";
import { AskChangeDialog, cancelTitle, type WantedChange } from "./AskChangeDialog";
import { Asked } from "./Asked";
import { AskMoveDialog, moveTitle } from "./AskMoveDialog";
import { LiveMapCard, useLiveMapOf } from "./LiveMapCard";
import { AllMoments, useLiveMoments } from "./LiveMoments";
import { useOwnCard, useSitterName } from "./ownClient";
import { ReportPreview } from "./ReportPreview";
import { useReportsOf } from "./reports";
import { ThanksForVisit } from "./SayThanks";
import { anotherTime, SAME_AGAIN, sameAgain, useCanAskAgain } from "./sameAgain";
import { VisitStatus } from "./VisitStatus";
import { WhyCancelled } from "./WhyCancelled";
import { WriteAbout } from "./WriteAbout";

export default function PortalVisit() {
  const id = addressId(useRoute("/client/visits/:id")[1]?.id);
  const now = useMinute();
  const visit = useReplica((phone) => (id ? phone.service(id, now) : undefined));
  const isGone = useHasPulledSince(id);
  const back = (
    <Link to="/client" className="hit inline-flex items-center gap-1 font-medium">
      <ArrowLeft aria-hidden className="size-4" /> All visits
    </Link>
  );
  return (
    <>
      <PageHeader title={visit ? formatDateHeading(visit.date) : isGone ? "Not here" : "Visit"} sub={back} />
      <PageBody className="grid max-w-220 grid-cols-1 gap-4">
        {visit ? <Visit visit={visit} /> : <NotHere what="visit" isGone={isGone} />}
      </PageBody>
    </>
  );
}

function Visit({ visit }: { visit: ServiceView }) {
  const now = useMinute();
  const dogs = (useOwnCard()?.dogs ?? []).filter((it) => visit.dog_ids.includes(it.id));
  const reports = useReportsOf(visit);
  const moments = useLiveMoments(visit);
  const times = useReplica((phone) => phone.notedTimes(visit.id, now));
  const status = useReplica((phone) => phone.liveStatus(visit.id, now)?.text);
  const sitter = useSitterName();
  const canAskAgain = useCanAskAgain(visit);
  const isCancelled = visit.status === "cancelled";
  return (
    <>
      <Card status={visit.overdue ? "other" : visit.status} className="num grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-auto text-20 font-bold">{visit.window || visit.formatted_time}</p>
          <VisitStatus visit={visit} />
        </div>
        <p>
          {visit.kind}, {visit.length}
        </p>
        {/* While a visit is under way its chip says the same. */}
        {times && times !== status && <p className="text-14 text-ink-2">{times}</p>}
        <WhyCancelled visit={visit} />
        <ul className="flex flex-wrap gap-x-5 gap-y-2">
          {dogs.map((pet) => (
            <li key={pet.id} className="flex min-w-0 items-center gap-2">
              <PetAvatar pet={pet} size="small" />
              <bdi className="min-w-0 font-medium wrap-anywhere">{pet.name}</bdi>
            </li>
          ))}
          {dogs.length === 0 && <li>{visit.dogs.join(", ")}</li>}
        </ul>
      </Card>
      <LiveMapCard visit={visit} />
      <ZoneNote />
      {moments.length > 0 && (
        <Part title={`From ${sitter}`}>
          <AllMoments moments={moments} />
        </Part>
      )}
      <InSeries visit={visit} />
      <Price visit={visit} />
      <Trip visitId={visit.id} />
      <Said title="Notes" text={visit.notes} />
      <Said title="How it went" text={visit.completion_notes} />
      {reports.length > 0 && (
        <Part title={reports.length === 1 ? "Report" : "Reports"}>
          <ul className="grid gap-4">
            {reports.map((it) => (
              <li key={it.id}>
                <ReportPreview report={it} said={visit.completion_notes} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <div className="flex flex-wrap gap-2">
        <ThanksForVisit visit={visit} />
        {canAskAgain && (
          <ButtonLink
            kind="quiet"
            to={isCancelled ? anotherTime(visit) : sameAgain(visit)}
            icon={<CalendarPlus aria-hidden className="size-5" />}
          >
            {isCancelled ? "Request another time" : SAME_AGAIN}
          </ButtonLink>
        )}
        <WriteAbout visit={visit} />
      </div>
    </>
  );
}

/** The series that a visit belongs to, and what can be asked for of the visit. */
function InSeries({ visit }: { visit: ServiceView }) {
  const now = useMinute();
  const of = useRead((phone) => phone.parentVisit(visit.id, now), visit.id, now);
  const [asking, setAsking] = useState<WantedChange>();
  const [isMoving, setIsMoving] = useState(false);
  // A walk that is shown has begun, also where the sitter has noted no step of it.
  const isOnMap = useLiveMapOf(visit) !== undefined;
  const canMove = !isOnMap && (of?.can_move ?? false);
  useMoveAtOnce(visit.id, canMove, () => setIsMoving(true));
  // Or it would open by itself once a request that is in the way is withdrawn.
  if (isMoving && !canMove) setIsMoving(false);
  const sitter = useSitterName();
  const called = `${formatDateHeading(visit.date)}, ${visit.window || visit.formatted_time}`;
  const change = isOnMap ? undefined : of?.change;
  const canAsk = change && (change.kind === "leave_out_date" || change.kind === "cancel_service");
  if (!of || (!of.series && of.asked.length === 0 && !canAsk && !canMove)) return null;
  return (
    <Part title={of.series ? "Regular visit" : "Changes"}>
      {of.series && (
        <p className="num flex items-start gap-2">
          <Repeat aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{of.series}</span>
        </p>
      )}
      {of.asked.map((it) => (
        <Asked key={it.request_id} change={it} />
      ))}
      {canMove && (
        <Button
          kind="quiet"
          className="justify-self-start"
          icon={<CalendarClock aria-hidden className="size-5" />}
          onClick={() => setIsMoving(true)}
        >
          {moveTitle(visit)}
        </Button>
      )}
      {visit.end_date && visit.series_id && canAsk && (
        <p className="text-14 text-ink-2 wrap-anywhere">
          For other days, write <bdi>{sitter}</bdi> a message.
        </p>
      )}
      {canAsk && (
        <Button
          kind="quiet"
          className="justify-self-start"
          icon={<CalendarMinus aria-hidden className="size-5" />}
          onClick={() => setAsking(change)}
        >
          {change.kind === "leave_out_date" ? "Request to leave out this visit" : cancelTitle(visit)}
        </Button>
      )}
      {asking && <AskChangeDialog change={asking} visit={visit} of={called} onClose={() => setAsking(undefined)} />}
      {isMoving && <AskMoveDialog visit={visit} of={called} onClose={() => setIsMoving(false)} />}
    </Part>
  );
}

/**
 * Opens the question for another time where the address says so, as a declined request's does: once, and only if the visit
 * can be moved then.
 */
function useMoveAtOnce(visitId: string, canMove: boolean, move: () => void): void {
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const isWanted = query.has("move");
  const onWanted = useEffectEvent(() => {
    navigate(`/client/visits/${visitId}`, { replace: true });
    if (canMove) move();
  });
  useEffect(() => {
    if (isWanted) onWanted();
  }, [isWanted]);
}

/** The trip that a visit belongs to: its days, its times, and what it comes to. */
function Trip({ visitId }: { visitId: string }) {
  const now = useMinute();
  const of = useRead((phone) => phone.seriesOfService(visitId, now), visitId, now);
  if (!of?.place) return null;
  return (
    <Part title="Trip">
      <p className="num wrap-anywhere">{of.view.sentence}</p>
      <p className="num text-14 text-ink-2">{of.place}</p>
      <p className="num text-14 text-ink-2">{of.view.in_all}</p>
    </Part>
  );
}

function paymentOf({ paid, written_off, credited_invoice_id }: ServiceView): string {
  if (paid) return "Paid";
  if (written_off) return "No longer owed";
  return credited_invoice_id ? "Credited" : "Not paid yet";
}

/** Cost of a visit; of a cancelled one only where it was billed, since otherwise nothing is owed for it. */
function Price({ visit }: { visit: ServiceView }) {
  const now = useMinute();
  const invoice = useReplica((phone) => phone.invoiceOf(visit.id, now));
  if (visit.status === "cancelled" && !invoice) return null;
  return (
    <Part title="Price">
      <p className="flex flex-wrap items-center gap-3">
        <span className="num text-28 font-bold">{formatDollars(visit.price)}</span>
        {visit.status === "completed" && <Chip kind={visit.paid ? "ok" : "plain"}>{paymentOf(visit)}</Chip>}
      </p>
      <p className="num text-14 text-ink-2 wrap-anywhere">{visit.pricing_breakdown.explanation}</p>
      {invoice && (
        <Link
          to="/client/invoices"
          className="inline-flex min-h-12 items-center gap-2 justify-self-start font-bold underline underline-offset-4"
        >
          <ReceiptText aria-hidden className="size-5" />
          On invoice {invoice.number}
        </Link>
      )}
    </Part>
  );
}

function Said({ title, text }: { title: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <Part title={title}>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {text}
      </p>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <section aria-label={title} className="grid grid-cols-1 gap-2">
        <h2 className="text-16 font-bold">{title}</h2>
        {children}
      </section>
    </Card>
  );
}
