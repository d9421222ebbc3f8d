/**
 * Owns a month of mileage and expenses: what it comes to, and day by day what was written down and what is proposed; on a
 * desktop as a table, with the chosen entry beside it.
 */
import { ChevronLeft, ChevronRight, Pencil, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { useIsDesktop } from "../../browser/device";
import {
  type Expense,
  type ExpenseDay,
  type ExpenseEntry,
  type ExpenseMonth,
  formatDistance,
  formatDollars,
  type MileageProposal,
} from "../../core";
import { useRead, useReplica } from "../../data";
import { useWalks } from "../../data/walks/walks";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { Banner, Button, Card, cx, EmptyState, IconButton, useBusy } from "../../ui";
import { useGradualList } from "../../ui/useGradualList";
import { named, takeMiles } from "./keeping";
import { MonthTable } from "./MonthTable";
import { milesText } from "./words";

/** So many days fill the screen. */
const SCREENFUL = 6;
/** Height of a day with proposed miles, and the gap below it. */
const DAY_PX = 200;
/** The same of the table. */
const ROWS_ON_SCREEN = 10;
const ROW_PX = 60;

interface MonthViewProps {
  /** A day of it; today where none is named. */
  day: string | undefined;
  onMonth: (first: string) => void;
  /** The entry that is corrected beside the table. */
  chosen: string | undefined;
  onEdit: (entry: ExpenseEntry) => void;
  onAdd: (expense: Partial<Expense>) => void;
  /** The form of the entry that is corrected. */
  form: ReactNode;
}

export function MonthView({ day, onMonth, chosen, onEdit, onAdd, form }: MonthViewProps) {
  const now = useMinute();
  const month = useRead((phone) => phone.expenseMonth(day, now), day, now);
  const today = useReplica((phone) => phone.today(now));
  const walked = useWalked();
  const isDesktop = useIsDesktop();
  const { drawn, restPx } = useGradualList(month.days, {
    of: month.heading,
    first: isDesktop ? ROWS_ON_SCREEN : SCREENFUL,
    itemPx: isDesktop ? ROW_PX : DAY_PX,
  });
  const begin = (
    <>
      <Summary month={month} isWide={isDesktop} onMonth={onMonth} />
      {month.rate_caution && <Banner kind="tag">{month.rate_caution}</Banner>}
      <NotOnMap month={month} />
      {month.days.length === 0 && (
        <EmptyState
          icon={<Wallet aria-hidden />}
          title="Nothing in this month yet"
          action={<Button onClick={() => onAdd({ category: "supplies", date: day ?? today })}>Add Expense</Button>}
        >
          Complete visits, and the miles between them are proposed here. What you spend you add yourself.
        </EmptyState>
      )}
    </>
  );
  if (isDesktop)
    return (
      <div className="grid grid-cols-[minmax(0,1fr)_24rem] items-start gap-5 pt-4">
        <div className="grid grid-cols-1 gap-4">
          {begin}
          {drawn.length > 0 && (
            <MonthTable
              days={drawn}
              restPx={restPx}
              chosen={chosen}
              onEdit={onEdit}
              walkedOn={(date) => walked[date] && <WalkedText walked={walked[date]} />}
              proposalOf={({ date, proposal }) =>
                proposal && <Proposal date={date} proposal={proposal} onAdd={onAdd} />
              }
            />
          )}
        </div>
        <div className="sticky top-5 grid min-w-0 grid-cols-1 gap-4">
          {form ?? (
            <Card className="grid grid-cols-1 gap-2">
              <h2 className="text-16 font-bold">How miles count</h2>
              <HowMilesCount />
            </Card>
          )}
        </div>
      </div>
    );
  return (
    <div className="grid grid-cols-1 gap-4 pt-4">
      {begin}
      {drawn.map((it) => (
        <DayCard key={it.date} day={it} walked={walked[it.date]} onEdit={onEdit} onAdd={onAdd} />
      ))}
      {restPx > 0 && <div aria-hidden style={{ height: restPx }} />}
      <details className="text-14 text-ink-2">
        <summary className="inline-flex min-h-12 items-center font-medium underline underline-offset-4">
          How miles count
        </summary>
        <HowMilesCount />
      </details>
    </div>
  );
}

interface SummaryProps extends Pick<MonthViewProps, "onMonth"> {
  month: ExpenseMonth;
  isWide: boolean;
}

/** The month with the ways to those beside it, and what it comes to. */
function Summary({ month: { heading, before, after, sums }, isWide, onMonth }: SummaryProps) {
  return (
    <Card className={isWide ? "flex flex-wrap items-center gap-x-6 gap-y-1 py-2" : "grid grid-cols-1 gap-1"}>
      <div className={cx("flex flex-wrap items-center justify-between gap-2", isWide && "min-w-64")}>
        <IconButton label="Month before" onClick={() => onMonth(before)} className="-ml-3">
          <ChevronLeft />
        </IconButton>
        <h2 aria-live="polite" className="grow text-center text-16 font-bold">
          {heading}
        </h2>
        <IconButton label="Month after" disabled={!after} onClick={() => after && onMonth(after)} className="-mr-3">
          <ChevronRight />
        </IconButton>
      </div>
      <p className="num text-center text-28 font-bold wrap-anywhere">{formatDollars(sums.total)}</p>
      <p className="num text-center text-14 text-ink-2 text-pretty">
        {milesText(sums.miles)}: {formatDollars(sums.mileage)} · Expenses: {formatDollars(sums.spent)}
      </p>
    </Card>
  );
}

/** Says which miles are not proposed for want of a place on the map, with the way to set it. */
const NotOnMap = ({ month: { homes_missing, base_missing } }: { month: ExpenseMonth }) => (
  <>
    {homes_missing && (
      <Banner
        kind="plain"
        action={<Link to={homes_missing.only ? `/clients/${homes_missing.only}` : "/clients"}>Set the position</Link>}
      >
        {homes_missing.text}
      </Banner>
    )}
    {base_missing && (
      <Banner kind="plain" action={<Link to="/profile#business">Set your service area</Link>}>
        {base_missing}
      </Banner>
    )}
  </>
);

const HowMilesCount = () => (
  <div className="grid gap-2 text-14 text-ink-2 text-pretty">
    <p>
      Proposed miles are an estimate: 1.3 times the straight line from home to home, in the order of the day’s completed
      visits. Correct them where your odometer says otherwise.
    </p>
    <p>
      The way from home to the first visit, and from the last one back, counts where your home is your main place of
      business (IRS Publication 463). Your service area’s address is taken for it.
    </p>
    <p>
      Each mile counts at the IRS’s standard rate of its day, which covers gas, repairs and car insurance. Parking and
      tolls come on top. Miles that you walk do not count, so they are shown and not added.
    </p>
  </div>
);

/** Distance of a day's walks. */
interface Walked {
  distance_m: number;
  /** More was walked on one of them than was recorded. */
  at_least: boolean;
}

/** Distance of each day's walks on this phone, by date. */
function useWalked(): Record<string, Walked> {
  const walks = useWalks();
  return useRead((phone) => {
    const walked: Record<string, Walked> = {};
    for (const { summary, started_at } of walks ?? []) {
      // A visit has no distance, unless its positions were recorded.
      if (!summary || summary.distance_m === 0) continue;
      const day = (walked[phone.today(started_at)] ??= { distance_m: 0, at_least: false });
      day.distance_m += summary.distance_m;
      day.at_least ||= summary.at_least;
    }
    return walked;
  }, walks);
}

interface DayCardProps extends Pick<MonthViewProps, "onEdit" | "onAdd"> {
  day: ExpenseDay;
  walked: Walked | undefined;
}

function WalkedText({ walked }: { walked: Walked }) {
  const units = useReplica((phone) => phone.units());
  return (
    <p className="num text-14 text-ink-2">
      {walked.at_least && "at least "}
      {formatDistance(walked.distance_m, units)} walked
    </p>
  );
}

function DayCard({ day, walked, onEdit, onAdd }: DayCardProps) {
  const title = `day-${day.date}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-2 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={title} className="text-14 font-medium text-ink-2">
          <time dateTime={day.date}>{day.heading}</time>
        </h3>
        {walked && <WalkedText walked={walked} />}
      </div>
      {day.entries.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line">
          {day.entries.map((it) => (
            <EntryRow key={it.expense.id} entry={it} onEdit={() => onEdit(it)} />
          ))}
        </ul>
      )}
      {day.proposal && <Proposal date={day.date} proposal={day.proposal} onAdd={onAdd} />}
    </Card>
  );
}

function EntryRow({ entry, onEdit }: { entry: ExpenseEntry; onEdit: () => void }) {
  const { expense, name, detail, worth } = entry;
  const isPending = useReplica((phone) => phone.isPending("expense", expense.id));
  return (
    <li>
      <button
        type="button"
        aria-label={`Edit ${named(entry)}, ${formatDollars(worth)}`}
        onClick={onEdit}
        className="num flex min-h-14 w-full flex-wrap items-center gap-x-3 py-1 text-left hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 basis-[min(100%,8rem)] wrap-anywhere">
          <span className="font-bold">{name}</span>
          {detail && <span className="block text-14 text-ink-2">{detail}</span>}
          {expense.note && (
            <span dir="auto" className="block text-14 text-ink-2">
              {expense.note}
            </span>
          )}
        </span>
        {isPending && <WaitingMark />}
        <span className="ml-auto font-bold">{formatDollars(worth)}</span>
      </button>
    </li>
  );
}

interface ProposalProps extends Pick<MonthViewProps, "onAdd"> {
  date: string;
  proposal: MileageProposal;
}

function Proposal({ date, proposal: { between, with_home, visits, ways_left_out }, onAdd }: ProposalProps) {
  const { busy, run } = useBusy();
  const take = (miles: number) => void run(() => takeMiles(date, miles, visits));
  const miles = between > 0 ? between : (with_home ?? 0);
  return (
    <div className="grid grid-cols-1 gap-2 rounded-large bg-sunken p-3 xl:flex xl:flex-wrap xl:items-center xl:gap-3">
      <div className="flex min-w-0 flex-1 basis-64 items-center justify-between gap-3">
        <p className="num text-14 text-pretty">
          {between > 0
            ? `About ${milesText(between)} between ${visits}`
            : `About ${milesText(miles)} to ${visits} and back`}
          {ways_left_out > 0 && `. ${leftOut(ways_left_out)}`}
        </p>
        <IconButton
          label={`Correct the miles before adding them, ${date}`}
          kind="square"
          onClick={() => onAdd({ category: "mileage", date, miles, note: visits })}
        >
          <Pencil />
        </IconButton>
      </div>
      <div className="num flex flex-wrap gap-2">
        {between > 0 && (
          <Button kind="quiet" busy={busy} className="grow" onClick={() => take(between)}>
            Add {milesText(between)}
          </Button>
        )}
        {with_home !== null && (
          <Button kind="quiet" busy={busy} className="grow" onClick={() => take(with_home)}>
            Add {milesText(with_home)} including home
          </Button>
        )}
      </div>
    </div>
  );
}

const leftOut = (ways: number): string =>
  ways === 1
    ? "One way is left out: a client’s home is not on the map."
    : `${ways} ways are left out: clients’ homes are not on the map.`;
