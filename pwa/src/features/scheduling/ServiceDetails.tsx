/** Owns 'Service Details' (SPEC 2 and 4): everything about one service, and what may be done with it while it is scheduled. */
import { Copy, Footprints, Navigation, Pencil, ReceiptText, Route as RouteIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDollars, type ServiceView, setApart, type Visit } from "../../core";
import { business, canSendNow, useDraft, useHasPulledSince, useRead, useReplica } from "../../data";
import { kindOf, useKeptWalkOf } from "../../data/walks/walks";
import { ContactLinks } from "../../parts/contact/ContactLinks";
import { useToday } from "../../parts/dates";
import { PetAvatar } from "../../parts/PetAvatar";
import { AccessNote } from "../../parts/visit/AccessNote";
import { NO_WORDS, notesKey } from "../../parts/visit/notes";
import { SentLive } from "../../parts/visit/SentLive";
import { dogNames, lateWord, shownStatus } from "../../parts/visit/visitText";
import { SendReport, SharedReports } from "../../parts/walk/SendReport";
import { useWalkOf, WalkedSign, WalkLink, WalkSign } from "../../parts/walk/WalkSign";
import {
  Button,
  ButtonLink,
  Chip,
  Dialog,
  DialogActions,
  Form,
  Skeleton,
  StatusChip,
  SubmitButton,
  TextArea,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { type CancelReason, CancelVisits } from "./CancelVisits";
import { cancel, complete } from "./finish";
import { NotInSchedule } from "./NotInSchedule";
import { PendingMark } from "./PendingMark";
import { SeriesPart, type SeriesStep } from "./series/SeriesPart";
import { SeriesStepForm, STEP_TITLES } from "./series/SeriesSteps";
import { TellProgress } from "./TellProgress";
import { DoorNotes, OvernightDot } from "./VisitCard";

interface ServiceDetailsProps {
  id: string;
  onEdit: () => void;
  /** Opens the form of a copy. */
  onCopy: () => void;
  onChangeSeries: (id: string, from?: string) => void;
  onClose: () => void;
}

export default function ServiceDetails({ id, onEdit, onCopy, onChangeSeries, onClose }: ServiceDetailsProps) {
  const now = useMinute();
  const visit = useRead((phone) => phone.visit(id, now), id, now);
  const isGone = useHasPulledSince(id);
  const series = useRead((phone) => phone.seriesOfService(id, now), id, now);
  const today = useToday();
  const [isCompleting, setCompleting] = useState(false);
  const [step, setStep] = useState<SeriesStep>();
  if (!visit) {
    return (
      <Dialog open onClose={onClose} title="Service Details">
        <NotInSchedule what="service" isGone={isGone} onClose={onClose} />
      </Dialog>
    );
  }
  const isOpen = visit.view.status === "scheduled";
  return (
    <Dialog
      open
      onClose={onClose}
      title={series && step ? STEP_TITLES[step] : "Service Details"}
      sub={
        <>
          {visit.heading}, <span className="inline-block">{visit.view.formatted_time}</span>
        </>
      }
    >
      {series && step ? (
        <SeriesStepForm
          step={step}
          view={series.view}
          date={series.date < today ? today : series.date}
          onBack={() => setStep(undefined)}
          onDone={onClose}
        />
      ) : isOpen && isCompleting ? (
        <Complete visit={visit} onBack={() => setCompleting(false)} onDone={onClose} />
      ) : (
        <Facts
          visit={visit}
          series={
            series && (
              <SeriesPart
                view={series.view}
                place={series.place ?? undefined}
                visit={isOpen ? { ...series, service: visit.view } : undefined}
                onStep={setStep}
                onChange={(from) => onChangeSeries(series.view.series.id, from)}
                onDone={onClose}
              />
            )
          }
          onEdit={onEdit}
          onCopy={onCopy}
          onComplete={() => setCompleting(true)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface FactsProps {
  visit: Visit;
  onEdit: () => void;
  /** Opens the form of a copy. */
  onCopy: () => void;
  onComplete: () => void;
  onClose: () => void;
}

function Facts({ visit, series, onEdit, onCopy, onComplete, onClose }: FactsProps & { series: ReactNode }) {
  const { view, client } = visit;
  const isOpen = view.status === "scheduled";
  return (
    <div className="grid grid-cols-1 gap-4">
      <Chips visit={visit} />
      <Pets visit={visit} />
      <Client visit={visit} />
      {isOpen && client?.access_notes && <AccessNote text={client.access_notes} isNear={visit.is_near} />}
      {isOpen && <DoorNotes visit={visit} withoutAccess />}
      <dl className="grid grid-cols-1 gap-3">
        <Fact name="Price">
          <span className="num font-bold">{formatDollars(view.price)}</span>{" "}
          <span className="num text-14 text-ink-2">{view.pricing_breakdown.explanation}</span>
        </Fact>
        <Fact name="Notes for the client">{view.notes}</Fact>
        {!isOpen && <Fact name="Internal notes">{view.internal_notes}</Fact>}
        <Fact name="Service notes">{view.completion_notes}</Fact>
        <Fact name={`Why it was cancelled, ${view.tells_cancel_reason ? "for the client, too" : "only for you"}`}>
          {view.cancel_reason}
        </Fact>
        <Fact name="Mail about it">{visit.mail}</Fact>
        <Fact name="History">{visit.corrections.join("\n")}</Fact>
      </dl>
      <SentLive visit={view} />
      {!isOpen && <SharedReports serviceId={view.id} />}
      {series}
      {isOpen ? (
        <OpenActions visit={visit} onEdit={onEdit} onCopy={onCopy} onComplete={onComplete} onClose={onClose} />
      ) : (
        <DialogActions>
          <SendReport serviceId={view.id} />
          {view.status === "completed" && !view.end_date && <CopyButton onCopy={onCopy} />}
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      )}
    </div>
  );
}

function Chips({ visit: { view, done_at } }: { visit: Visit }) {
  const isWalking = useWalkOf(view.id) !== undefined;
  const status = isWalking ? view.status : shownStatus(view);
  const late = isWalking ? undefined : lateWord(view);
  const now = useMinute();
  const invoice = useReplica((phone) => (view.invoice_id ? phone.invoiceLink(view.invoice_id) : undefined));
  const expected = useReplica((phone) => phone.expectedStart(view.id, now));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <StatusChip status={late ? "overdue" : status}>{done_at ? `Completed ${done_at}` : late}</StatusChip>
      <Chip>
        {view.kind}, {view.length}
      </Chip>
      {invoice ? (
        <Link to="/invoices?tab=history" className="hit rounded-full">
          <Chip kind={view.paid ? "ok" : "tag"} icon={<ReceiptText aria-hidden />}>
            {invoice.remark}
          </Chip>
        </Link>
      ) : (
        view.status === "completed" && <Chip kind={view.paid ? "ok" : "tag"}>{paymentOf(view)}</Chip>
      )}
      {view.overnight && (
        <Chip kind="tag" icon={<OvernightDot />}>
          Overnight
        </Chip>
      )}
      {view.overlap_ok && <Chip>Overlap allowed</Chip>}
      {view.window && <Chip>{view.window}</Chip>}
      {expected && !late && <Chip kind="tag">{expected}</Chip>}
      <WalkSign serviceId={view.id} />
      {view.status === "scheduled" && <WalkedSign serviceId={view.id} />}
      <PendingMark id={view.id} />
    </div>
  );
}

function paymentOf({ paid, written_off, credited_invoice_id }: ServiceView): string {
  if (paid) return "Paid";
  if (written_off) return "Written off";
  return credited_invoice_id ? "Credited" : "Unpaid";
}

function Pets({ visit: { view, pets } }: { visit: Visit }) {
  const gone = view.dogs.filter((name) => !pets.some((pet) => pet.name === name));
  return (
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
      {gone.map((name) => (
        <li key={name} className="font-bold wrap-anywhere">
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Client({ visit: { view, client } }: { visit: Visit }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-[min(100%,7rem)] wrap-anywhere">
        <p className="font-bold">
          {client ? (
            <Link
              to={`/clients/${client.id}`}
              className="hit underline decoration-line decoration-2 underline-offset-4"
            >
              <bdi>{view.client_name}</bdi>
            </Link>
          ) : (
            <bdi>{view.client_name}</bdi>
          )}
        </p>
        {client?.address && (
          <p className="text-14 text-ink-2">
            <bdi>{client.address}</bdi>
          </p>
        )}
      </div>
      <ContactLinks client={client} />
    </div>
  );
}

/** Buttons for a visit that is still to be. */
function OpenActions({ visit, onEdit, onCopy, onComplete, onClose }: FactsProps) {
  const { view, client } = visit;
  const walk = useWalkOf(view.id);
  const kept = useKeptWalkOf(view.id);
  const today = useToday();
  const [isCancelling, setCancelling] = useState(false);
  // Each day of a stay has its own.
  const isWalked = kept !== undefined && (kindOf(kept) !== "day" || business().phone.today(kept.started_at) === today);
  return (
    <>
      <TellProgress view={view} />
      {(visit.starts || walk) && (
        <WalkLink
          serviceId={view.id}
          starts={visit.starts ?? "walk"}
          kind={isWalked && !walk ? "quiet" : "primary"}
          icon={<Footprints aria-hidden className="size-5" />}
        />
      )}
      {view.service_type === "walk" && (
        <ButtonLink kind="quiet" to={`/routes?service=${view.id}`} icon={<RouteIcon aria-hidden className="size-5" />}>
          Plan a route
        </ButtonLink>
      )}
      {client && client.lat !== null && client.lng !== null && (
        <ButtonLink kind="quiet" to={`/way/${client.id}`} icon={<Navigation aria-hidden className="size-5" />}>
          Directions
        </ButtonLink>
      )}
      <DialogActions className="flex-wrap">
        <Button
          kind="plain"
          className="text-danger! max-md:order-last max-md:basis-full md:mr-auto"
          onClick={() => setCancelling(true)}
        >
          Cancel Service
        </Button>
        {!view.end_date && <CopyButton onCopy={onCopy} />}
        <Button kind="quiet" icon={<Pencil aria-hidden className="size-5" />} onClick={onEdit}>
          Edit
        </Button>
        <Button kind={visit.starts && !isWalked ? "quiet" : "primary"} className="min-w-fit" onClick={onComplete}>
          Mark Complete
        </Button>
      </DialogActions>
      {isCancelling && <AskToCancel view={view} onBack={() => setCancelling(false)} onDone={onClose} />}
    </>
  );
}

function CopyButton({ onCopy }: { onCopy: () => void }) {
  return (
    <Button kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={onCopy}>
      Copy
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div>
      <dt className="text-14 text-ink-2">{name}</dt>
      <dd dir={typeof children === "string" ? "auto" : undefined} className="whitespace-pre-line wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}

/** SPEC 4: cancelling uses the delete action and asks first. */
function AskToCancel({ view, onBack, onDone }: { view: ServiceView; onBack: () => void; onDone: () => void }) {
  const now = useMinute();
  const day = view.end_date ?? view.date;
  const told = useRead((phone) => phone.toldOfVisit(view.client_id, day, canSendNow(), now), view.id, now);
  const readers = useRead((phone) => phone.readersOfReason([view.client_id]), view.id);
  const submit = async (said: CancelReason) => {
    const failed = await cancel(view, said);
    if (!failed) onDone();
    return failed;
  };
  return (
    <CancelVisits
      of={view.id}
      title="Are you sure you want to cancel this scheduled service?"
      text={`${dogNames(view)}, ${setApart(view.client_name)}, ${view.formatted_time}. ${told}`}
      readers={readers}
      action="Cancel Service"
      keep="Keep it"
      onCancel={submit}
      onClose={onBack}
    />
  );
}

interface CompleteProps {
  visit: Visit;
  onBack: () => void;
  onDone: () => void;
}

function Complete({ visit: { view }, onBack, onDone }: CompleteProps) {
  const key = notesKey(view.id);
  const draft = useDraft(key, NO_WORDS);
  const [said, setSaid] = useState<string>();
  if (!draft.ready) return <Skeleton className="h-40 w-full" />;

  const submit = async () => {
    const failed = await complete(view, draft.value, { draft: key, base_rev: draft.base_rev });
    setSaid(failed);
    if (failed) return;
    onDone();
    draft.clear();
  };

  return (
    <Form error={said} onSubmit={submit}>
      <p className="wrap-anywhere">
        {view.kind} for <span className="font-bold">{dogNames(view)}</span>, <bdi>{view.client_name}</bdi>
      </p>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <TextArea
        name="notes"
        label="Service notes"
        optional
        hint="How it went: what they did, ate, and how they were."
        reader="service.completion_notes"
        value={draft.value.notes}
        onChange={(notes) => draft.set({ notes })}
      />
      <TextArea
        name="internal_notes"
        label="Only for you"
        optional
        rows={2}
        hint="Kept with your notes on the visit."
        reader="service.internal_notes"
        value={draft.value.internal_notes ?? ""}
        onChange={(internal_notes) => draft.set({ internal_notes })}
      />
      <DialogActions>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
        <SubmitButton className="min-w-fit">Mark Complete</SubmitButton>
      </DialogActions>
    </Form>
  );
}
