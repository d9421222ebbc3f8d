/**
 * Owns the import of bookings that repeat from a file: picking it, what its columns are, which series would come of it with
 * what is wrong in which cell, and booking them. Nothing leaves this phone before it is booked; all works with no network.
 */
import { ArrowLeft, PartyPopper } from "lucide-react";
import { Suspense, use } from "react";
import { Link } from "wouter";
import { loadImportCore, readSchedule } from "../../../core/import";
import { type Draft, save, useDraft, useReplica } from "../../../data";
import { ImportFilePicker } from "../../../parts/ImportFilePicker";
import { LoadingOrFailure } from "../../../parts/LoadingOrFailure";
import {
  Button,
  ButtonLink,
  EmptyState,
  ErrorBoundary,
  LoadFailure,
  PageBody,
  PageHeader,
  SkeletonCards,
  toast,
  useBusy,
} from "../../../ui";
import { ScheduleRows } from "./ScheduleRows";
import { type Booked, countSeries, DONE_DRAFT, DRAFT, NO_FILE, NOTHING, type ScheduleDraft } from "./scheduleDraft";

const FAILED = "Failed to load the import";

export default function ImportScheduleScreen() {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  return (
    <>
      <PageHeader
        title="Import a schedule"
        sub={
          <Link to="/scheduling" className="hit inline-flex items-center gap-1 font-medium">
            <ArrowLeft aria-hidden className="size-4" /> Schedule
          </Link>
        }
      />
      <PageBody className="max-w-220">
        <ErrorBoundary fallback={(retry) => <LoadFailure onRetry={retry}>{FAILED}</LoadFailure>}>
          <Suspense fallback={<SkeletonCards label="Loading the import" />}>
            {/* Clients and pets must be known before they can be found in a file. */}
            {hasLoaded ? (
              <Stages />
            ) : (
              <LoadingOrFailure label="Loading clients" failure={(why) => `${FAILED}: ${why}`} />
            )}
          </Suspense>
        </ErrorBoundary>
      </PageBody>
    </>
  );
}

function Stages() {
  use(loadImportCore());
  const draft = useDraft<ScheduleDraft>(DRAFT, NO_FILE);
  const done = useDraft<Booked>(DONE_DRAFT, NOTHING);
  if (!draft.ready || !done.ready) return <SkeletonCards label="Loading the import" />;
  const { table } = draft.value;
  return (
    <div className="grid gap-5">
      {done.value.series.length > 0 && <Done draft={done} />}
      {table ? (
        <ScheduleRows
          draft={draft}
          table={table}
          onBooked={(booked, base_rev) =>
            done.update(({ series, base_rev: first }) => ({
              series: [...series, booked],
              base_rev: series.length === 0 ? base_rev : first,
            }))
          }
        />
      ) : (
        done.value.series.length === 0 && <Picker draft={draft} />
      )}
    </div>
  );
}

function Picker({ draft }: { draft: Draft<ScheduleDraft> }) {
  return (
    <ImportFilePicker
      accept=".csv,.tsv,.txt,text/csv,text/plain"
      read={(bytes, file) => {
        const read = readSchedule(bytes);
        if (read.status === "rejected") return read.error.text;
        draft.set({ ...NO_FILE, ...read.value, file });
        return undefined;
      }}
      intro="Bring bookings that repeat from another program or a spreadsheet: a CSV file with a row for each, with client, pets, days, time, minutes, service, start and end."
      hint={
        <>
          Days can be written as Mon, Wed, Fri, weekdays, daily, or FREQ=WEEKLY;BYDAY=MO,WE. Your clients have to be
          here before:{" "}
          <Link to="/clients/import" className="hit inline-block py-1 underline underline-offset-4">
            import them first
          </Link>
          . You see everything before it is booked. Clients are told of it as of any booking.
        </>
      }
    />
  );
}

/** Says how many series were booked, with the way back. */
function Done({ draft }: { draft: Draft<Booked> }) {
  const { series, base_rev } = draft.value;
  const taken = series.reduce((sum, it) => sum + it.taken, 0);
  const { busy, run } = useBusy();
  const undo = async () => {
    let stayed = 0;
    let left = series.length;
    let why = "";
    for (const { id } of series) {
      const command = { name: "delete_series", args: { id } } as const;
      // One after the other: what one device has changed since stays, and is said.
      const result = await save(command, "Undo the import of a schedule", { base_rev });
      if (!result.ok) {
        stayed += 1;
        why = result.text;
        continue;
      }
      draft.update((latest) => {
        const others = latest.series.filter((it) => it.id !== id);
        left = others.length;
        return { series: others };
      });
    }
    if (left === 0) draft.clear();
    if (stayed === 0) toast.info("Import undone");
    else toast.error(`${countSeries(stayed)} stayed: ${why}`);
  };
  return (
    <EmptyState
      icon={<PartyPopper aria-hidden />}
      title={`${countSeries(series.length)} booked`}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button kind="quiet" busy={busy} onClick={() => void run(undo)}>
            Undo
          </Button>
          <Button kind="quiet" onClick={draft.clear}>
            Done
          </Button>
          <ButtonLink to="/scheduling" onClick={draft.clear}>
            Show schedule
          </ButtonLink>
        </div>
      }
    >
      {taken > 0 &&
        (taken === 1
          ? "1 date is taken and waits for your decision."
          : `${taken} dates are taken and wait for your decision.`)}
    </EmptyState>
  );
}
