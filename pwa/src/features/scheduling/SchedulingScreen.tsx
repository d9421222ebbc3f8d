/** Owns the schedule (SPEC 2, Scheduling): its three views and what opens above them. */
import { ListChecks, Plus } from "lucide-react";
import { memo, type ReactNode, Suspense, useEffect, useRef } from "react";
import { useMinute } from "../../browser/clock";
import { isAppCached, useIsPhone } from "../../browser/device";
import { whenIdle } from "../../browser/idle";
import { type FirstPhone, formatDateHeading, formatMonthHeading, withRest } from "../../core";
import { useFirstRead, useFirstReplica, useIsFirstPullLong } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import {
  Button,
  ErrorBoundary,
  FeatureError,
  IconButton,
  loadable,
  Menu,
  PageBody,
  PageHeader,
  Segmented,
  SkeletonCards,
  useShortcut,
} from "../../ui";
import { AvailabilityView } from "../availability";
import { CalendarView, daysShown } from "./CalendarView";
import { OnPaper } from "./OnPaper";
import { type ScheduleState, useScheduleState, type View } from "./scheduleState";
import { repeatsOf } from "./series/repeats";
import type { ServiceFix } from "./serviceForm/ServiceForm";
import { SelectionContext, useSelectionState } from "./several/selection";
import { severalItems } from "./several/severalItems";
import type { Jumpable } from "./useGridScale";
import { ViewMenu } from "./ViewMenu";

const FirstDay = loadable(() => import("./FirstDay"));
const ServiceLimit = loadable(() => withRest(import("../../parts/plan/ServiceLimit")));
const ServiceDetails = loadable(() => withRest(import("./ServiceDetails")));
const ServiceForm = loadable(() => withRest(import("./serviceForm/ServiceForm")));
const SeriesDetails = loadable(() => withRest(import("./series/SeriesDetails")));
const SeriesForm = loadable(() => withRest(import("./series/SeriesForm")));
const SelectionBar = loadable(() => withRest(import("./several/SelectionBar")));
const SeveralDialog = loadable(() => withRest(import("./several/SeveralDialog")));
const ServiceListView = loadable(() => withRest(import("./ServiceListView")));

const VIEWS: { value: View; label: string }[] = [
  { value: "calendar", label: "Calendar" },
  { value: "list", label: "List" },
  { value: "availability", label: "Availability" },
];

export default function SchedulingScreen() {
  const schedule = useScheduleState();
  const selection = useSelectionState();
  const isPhone = useIsPhone();
  const hasSitter = useFirstReplica((phone) => phone.sitter() !== undefined);
  const hasPlan = useFirstReplica((phone) => phone.sitter()?.subscription !== undefined);
  const { view, date, today, show } = schedule;
  const isDayList = view === "calendar" && isPhone && schedule.span === "day";
  useEffect(
    () =>
      whenIdle(() => {
        // What a thumb opens next; from this phone alone, so that the first visit loads no more than it shows.
        if (isAppCached()) void Promise.all([ServiceForm.preload(), ServiceDetails.preload()]);
      }),
    [],
  );
  const now = useMinute();
  // Nobody is told that there are no visits before it is known.
  const plan = useFirstRead(
    (phone) => (isDayList && hasRows(phone) ? phone.dayPlan(date, now) : undefined),
    isDayList,
    date,
    now,
  );
  const minuteNow = useFirstReplica((phone) => phone.minuteOfDay(now));
  const jumpable = useRef<Jumpable>(null);
  const add = () => schedule.create(view === "calendar" && date >= today ? { date } : {});

  useShortcut("n", "Schedule a service", add);
  useShortcut("t", "Go to today", () => show({ view: "calendar", date: today }));

  const views = (
    <Segmented label="View" value={view} onChange={(it) => show({ view: it })} options={VIEWS} className="w-84" />
  );
  const actions = (
    <>
      <div className="max-lg:hidden">{views}</div>
      <Button onClick={add} className="max-md:hidden">
        Schedule Service
      </Button>
      {isPhone ? (
        <ViewMenu schedule={schedule} minuteNow={minuteNow} jumpable={jumpable} />
      ) : (
        view !== "availability" && (
          <Menu
            label="Select and copy"
            items={severalItems(schedule, selection)}
            trigger={(props) => (
              <Button kind="quiet" icon={<ListChecks aria-hidden className="size-5" />} {...props}>
                {/* The word goes where the header has no room for it. */}
                <span className="max-[88rem]:sr-only">Select and copy</span>
              </Button>
            )}
          />
        )
      )}
      <IconButton label="Schedule Service" kind="round" onClick={add} className="md:hidden">
        <Plus />
      </IconButton>
    </>
  );
  return (
    <SelectionContext value={selection}>
      {plan ? (
        // On a phone's day the count of what is to do is the title: it is what one looks for.
        <PageHeader
          title={plan.title}
          sub={plan.overdue ? `${plan.heading} · ${plan.overdue}` : plan.heading}
          isSentence
          actions={actions}
        />
      ) : (
        <PageHeader
          title="Schedule"
          // A phone's grid has numbers for days and no room for the month, and its lists name their days.
          sub={isPhone ? formatMonthHeading(view === "calendar" ? date : today) : formatDateHeading(today)}
          actions={actions}
        >
          {!isPhone && <div className="lg:hidden">{views}</div>}
        </PageHeader>
      )}
      {hasPlan && view !== "availability" && (
        <div className="px-5 pb-3 empty:hidden md:px-8 print:hidden">
          <Suspense>
            <ServiceLimit />
          </Suspense>
        </div>
      )}
      {view === "availability" ? (
        <Loaded failure="Failed to load availability data">
          {hasSitter && (
            <Suspense fallback={<Coming />}>
              <PageBody>
                <AvailabilityView />
              </PageBody>
            </Suspense>
          )}
        </Loaded>
      ) : (
        <Loaded failure="Failed to load scheduling data" isToday={isDayList && date === today}>
          {view === "calendar" ? (
            <>
              <div className="contents print:hidden">
                <CalendarView schedule={schedule} plan={plan} jumpable={jumpable} />
              </div>
              <OnPaper days={daysShown(schedule)} now={now} />
            </>
          ) : (
            <Suspense fallback={<Coming />}>
              <ServiceListView schedule={schedule} />
            </Suspense>
          )}
        </Loaded>
      )}
      {selection.isOn && view !== "availability" && (
        <Suspense>
          {/* The last visits come out from under the bar. */}
          <div aria-hidden className="h-62 shrink-0 md:h-40 print:hidden" />
          <SelectionBar schedule={schedule} />
        </Suspense>
      )}
      <Suspense>
        <Above schedule={schedule} />
      </Suspense>
    </SelectionContext>
  );
}

/** Before the first pull an empty calendar would be a lie. */
const hasRows = (phone: FirstPhone): boolean => phone.hasLoaded() || phone.pendingCount() > 0;

interface LoadedProps {
  failure: string;
  /** Today's list is asked for, which can be read before the rest. */
  isToday?: boolean;
  children: ReactNode;
}

function Loaded({ failure, isToday = false, children }: LoadedProps) {
  const isLong = useIsFirstPullLong();
  if (useFirstReplica(hasRows)) return children;
  const loading = (
    <PageBody>
      <LoadingOrFailure label="Loading the schedule" failure={(why) => `${failure}. ${why}`} />
    </PageBody>
  );
  if (!isToday || !isLong) return loading;
  return (
    <ErrorBoundary fallback={() => loading}>
      <Suspense fallback={loading}>
        <FirstDay>{loading}</FirstDay>
      </Suspense>
    </ErrorBoundary>
  );
}

function Coming() {
  return (
    <PageBody>
      <SkeletonCards />
    </PageBody>
  );
}

/** Apart from the schedule under it: what is typed there and what changes here draw one of them again, not both. */
const Above = memo(function Above({ schedule }: { schedule: ScheduleState }) {
  const { open, today, close: onClose } = schedule;
  const { fix } = useFix("schedule_service", "update_service", "create_series", "change_series");
  if (!open) return null;
  return (
    <ErrorBoundary resetKey={JSON.stringify(open)} fallback={() => <FeatureError feature="Schedule" />}>
      {open.kind === "details" && (
        <ServiceDetails
          key={open.id}
          id={open.id}
          onEdit={() => schedule.edit(open.id)}
          onCopy={() => schedule.copy(open.id)}
          onChangeSeries={schedule.changeSeries}
          onClose={onClose}
        />
      )}
      {open.kind === "several" && <SeveralDialog open={open} onClose={onClose} />}
      {open.kind === "series" && (
        <SeriesDetails key={open.id} id={open.id} onChange={() => schedule.changeSeries(open.id)} onClose={onClose} />
      )}
      {open.kind === "change" && (
        <SeriesForm key={open.id} id={open.id} from={open.from} today={today} onClose={onClose} />
      )}
      {open.kind === "edit" && (
        <ServiceForm key={open.id} id={open.id} prefill={open.prefill} today={today} onClose={onClose} />
      )}
      {open.kind === "new" && <ServiceForm prefill={open.prefill} today={today} onClose={onClose} />}
      {open.kind === "fix" && fix && <Mend key={fix.id} fix={fix} today={today} onClose={onClose} />}
    </ErrorBoundary>
  );
});

interface MendProps {
  fix: NonNullable<
    ReturnType<typeof useFix<"schedule_service" | "update_service" | "create_series" | "change_series">>["fix"]
  >;
  today: string;
  onClose: () => void;
}

/** The form of a change that was turned down, with the words that the person had typed. */
function Mend({ fix, today, onClose }: MendProps) {
  const { command } = fix;
  if (command.name === "change_series") {
    const { id, from } = command.args;
    return (
      <SeriesForm id={id} from={from} fix={{ id: fix.id, command: command.args }} today={today} onClose={onClose} />
    );
  }
  if (command.name === "create_series") {
    const series = { id: fix.id, makes: undefined, ...repeatsOf(command.args) };
    return <ServiceForm fix={series} today={today} onClose={onClose} />;
  }
  const isNew = command.name === "schedule_service";
  const stored: ServiceFix = {
    id: fix.id,
    makes: isNew ? command.args.id : undefined,
    fields: isNew ? command.args.service : command.args.changes,
  };
  return <ServiceForm id={isNew ? undefined : command.args.id} fix={stored} today={today} onClose={onClose} />;
}
