/** Owns where a pet parent begins: the pet's day, answers and what waits for one, what comes, what was, and what the sitter still needs. */
import { CalendarPlus, ChevronRight, Phone, ReceiptText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import type { RequestCard, ServiceView } from "../../core";
import { useReplica, useSession } from "../../data";
import { callLink } from "../../parts/contact/contact";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Offer } from "../../parts/notifications/Offer";
import { ZoneNote } from "../../parts/ZoneNote";
import { Button, ButtonLink, EmptyState, PageBody, PageHeader } from "../../ui";
import { useFreshAnswers } from "./answersSeen";
import { EndedVisit } from "./EndedVisit";
import { HomeReminder } from "./HomeReminder";
import { useLiveMapOf } from "./LiveMapCard";
import { NextVisit } from "./NextVisit";
import { ownClientId, useSitterName } from "./ownClient";
import { PortalSeries, useParentSeries } from "./PortalSeries";
import { LooseReport } from "./ReportPreview";
import { RequestItem } from "./RequestItem";
import { VisitList } from "./VisitList";

/** Past visits shown at first, and with each 'Show more'. */
const PAST_STEP = 10;
/** No more wait than half of these, and few are declined in a week. */
const MOST_REQUESTS = 100;

export default function PortalHome() {
  const name = useSitterName();
  const { user } = useSession();
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  return (
    <>
      <PageHeader title={name} sub={`Hello ${user?.name.split(" ")[0] ?? ""}`.trim()} actions={<CallSitter />} />
      <PageBody className="grid max-w-220 grid-cols-1 gap-5">
        {hasLoaded ? (
          <Visits />
        ) : (
          <LoadingOrFailure
            label="Loading your visits"
            failure={(why) => `Your visits could not be loaded yet. ${why}`}
          />
        )}
      </PageBody>
    </>
  );
}

function CallSitter() {
  const sitter = useReplica((phone) => phone.sitter());
  const href = sitter && callLink({ name: sitter.name, phone: sitter.phone ?? "" });
  if (!href) return null;
  return (
    <a
      href={href}
      title={`Call ${sitter.name}`}
      aria-label={`Call ${sitter.name}`}
      className="grid size-12 shrink-0 place-items-center rounded-full border border-line bg-card hover:bg-sunken [&>svg]:size-[22px]"
    >
      <Phone aria-hidden />
    </a>
  );
}

function Visits() {
  const now = useMinute();
  const [most, setMost] = useState(PAST_STEP);
  const home = useReplica((phone) => phone.parentHome(ownClientId(), most, now));
  const { next, late, ended, upcoming, past, past_count, reports } = home;
  const requests = useReplica((phone) => phone.requests("news", MOST_REQUESTS, now)).cards;
  const waiting = requests.filter((it) => it.status === "pending" && !it.is_past);
  const expired = requests.filter((it) => it.status === "pending" && it.is_past);
  const answered = useFreshAnswers(requests, now);
  const series = useParentSeries();
  const isOwed = useReplica((phone) => phone.parentInvoices(0, now)).counts.unpaid > 0;
  const ask = (
    <ButtonLink
      to="/client/ask"
      icon={<CalendarPlus aria-hidden className="size-5" />}
      className="md:justify-self-start"
    >
      Request a visit
    </ButtonLink>
  );
  const isEmpty = next.length + ended.length + past_count + requests.length + series.length + reports.length === 0;
  if (isEmpty) {
    return (
      <>
        <HomeReminder />
        <Invoices />
        <EmptyState icon={<CalendarPlus aria-hidden />} title="No visits yet" action={ask}>
          Choose a day and an open time. You see the price before you send your request.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <ZoneNote />
      {isOwed && <Invoices />}
      {next.map((it) => (
        <NextVisit key={it.id} visit={it} />
      ))}
      {late.map((it) => (
        <LateVisit key={it.id} visit={it} />
      ))}
      {ended.length > 0 && (
        <Part title={ended.length === 1 ? "Last visit" : "Last visits"}>
          {ended.map((it) => (
            <EndedVisit key={it.id} visit={it} />
          ))}
        </Part>
      )}
      {reports.length > 0 && (
        <Part title={reports.length === 1 ? "New report" : "New reports"}>
          {reports.map((it) => (
            <LooseReport key={it.id} report={it} />
          ))}
        </Part>
      )}
      {ask}
      {answered.length > 0 && (
        <Part title="Answered">
          <Requests cards={answered} />
        </Part>
      )}
      {waiting.length > 0 && (
        <Part title="Waiting">
          <Offer>Get notified as soon as your sitter answers.</Offer>
          <Requests cards={waiting} />
        </Part>
      )}
      {expired.length > 0 && (
        <Part title="No answer in time">
          <Requests cards={expired} />
        </Part>
      )}
      <HomeReminder />
      {!isOwed && <Invoices />}
      {series.length > 0 && (
        <Part title="Regular visits">
          <PortalSeries series={series} />
        </Part>
      )}
      {upcoming.length > 0 && (
        <Part title="Upcoming">
          <VisitList visits={upcoming} />
        </Part>
      )}
      {past.length > 0 && (
        <Part title="Past">
          <VisitList visits={past} />
          {past_count > past.length && (
            <Button kind="plain" onClick={() => setMost(most + PAST_STEP)}>
              Show more ({past_count - past.length})
            </Button>
          )}
        </Part>
      )}
    </>
  );
}

/** A visit that should be over, while its sitter still shows the walk. */
function LateVisit({ visit }: { visit: ServiceView }) {
  const isShown = useLiveMapOf(visit) !== undefined;
  return isShown ? <NextVisit visit={visit} /> : null;
}

const Requests = ({ cards }: { cards: readonly RequestCard[] }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
    {cards.map((it) => (
      <li key={it.id}>
        <RequestItem card={it} />
      </li>
    ))}
  </ul>
);

/** Link to the invoices, where anything was billed. */
function Invoices() {
  const now = useMinute();
  const { counts, owed, back } = useReplica((phone) => phone.parentInvoices(0, now));
  if (counts.all === 0) return null;
  return (
    <Link
      to="/client/invoices"
      className="num flex min-h-12 items-center gap-3 rounded-large border border-line bg-card px-4 py-2 hover:bg-sunken"
    >
      <ReceiptText aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span className="block font-bold">Invoices</span>
        {[owed, ...back].map((it) => (
          <span key={it} className="block text-14 text-ink-2">
            {it}
          </span>
        ))}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <h2 className="text-20 font-bold">{title}</h2>
      {children}
    </section>
  );
}
