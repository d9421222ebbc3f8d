/** Owns a month of mileage and expenses: what it comes to, and day by day what was written down and what is proposed. */
import { ChevronLeft, ChevronRight, Pencil, Wallet } from "lucide-react";
import { useMinute } from "../../browser/clock";
import {
  type Expense,
  type ExpenseDay,
  type ExpenseEntry,
  formatDistance,
  formatDollars,
  type MileageProposal,
} from "../../core";
import { useRead, useReplica } from "../../data";
import { useWalks } from "../../data/walks/walks";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { Banner, Button, Card, EmptyState, IconButton, useBusy } from "../../ui";
import { useGradualList } from "../../ui/useGradualList";
import { named, takeMiles } from "./keeping";
import { milesText } from "./words";

/** So many days fill the screen. */
const SCREENFUL = 6;
/** Height of a day with proposed miles, and the gap below it. */
const DAY_PX = 200;

interface MonthViewProps {
  /** A day of it; today where none is named. */
  day: string | undefined;
  onMonth: (first: string) => void;
  onEdit: (entry: ExpenseEntry) => void;
  onAdd: (expense: Partial<Expense>) => void;
}

export function MonthView({ day, onMonth, onEdit, onAdd }: MonthViewProps) {
  const now = useMinute();
  const month = useRead((phone) => phone.expenseMonth(day, now), day, now);
  const today = useReplica((phone) => phone.today(now));
  const walked = useWalked();
  const { before, after, sums } = month;
  const { drawn, restPx } = useGradualList(month.days, { of: month.heading, first: SCREENFUL, itemPx: DAY_PX });
  return (
    <div className="grid grid-cols-1 items-start gap-4 pt-4 xl:grid-cols-[20rem_minmax(0,1fr)] xl:gap-5">
      <div className="grid grid-cols-1 gap-4 xl:sticky xl:top-5">
        <Card className="grid grid-cols-1 gap-1">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <IconButton label="Month before" onClick={() => onMonth(before)} className="-ml-3">
              <ChevronLeft />
            </IconButton>
            <h2 aria-live="polite" className="grow text-center text-16 font-bold">
              {month.heading}
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
        {month.rate_caution && <Banner kind="tag">{month.rate_caution}</Banner>}
      </div>
      <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-2 2xl:*:not-[article]:col-span-full">
        {month.days.length === 0 && (
          <EmptyState
            icon={<Wallet aria-hidden />}
            title="Nothing in this month yet"
            action={<Button onClick={() => onAdd({ category: "supplies", date: day ?? today })}>Add Expense</Button>}
          >
            Complete visits, and the miles between them are proposed here. What you spend you add yourself.
          </EmptyState>
        )}
        {drawn.map((it) => (
          <DayCard key={it.date} day={it} walked={walked[it.date]} onEdit={onEdit} onAdd={onAdd} />
        ))}
        {restPx > 0 && <div aria-hidden style={{ height: restPx }} />}
        <details className="text-14 text-ink-2">
          <summary className="inline-flex min-h-12 items-center font-medium underline underline-offset-4">
            How miles count
          </summary>
          <div className="grid gap-2 text-pretty">
            <p>
              Proposed miles are an estimate: 1.3 times the straight line from home to home, in the order of the day’s
              completed visits. Correct them where your odometer says otherwise.
            </p>
            <p>
              The way from home to the first visit, and from the last one back, counts where your home is your main
              place of business (IRS Publication 463). Your service area’s address is taken for it.
            </p>
            <p>
              Each mile counts at the IRS’s standard rate of its day, which covers gas, repairs and car insurance.
              Parking and tolls come on top. Miles that you walk do not count, so they are shown and not added.
            </p>
          </div>
        </details>
      </div>
    </div>
  );
}

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

function DayCard({ day, walked, onEdit, onAdd }: DayCardProps) {
  const units = useReplica((phone) => phone.units());
  const title = `day-${day.date}`;
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-2 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={title} className="text-14 font-medium text-ink-2">
          <time dateTime={day.date}>{day.heading}</time>
        </h3>
        {walked && (
          <p className="num text-14 text-ink-2">
            {walked.at_least && "at least "}
            {formatDistance(walked.distance_m, units)} walked
          </p>
        )}
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
