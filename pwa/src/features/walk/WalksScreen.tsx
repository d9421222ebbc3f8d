/** Owns past walks: the list with small pictures of their tracks, import, and one walk beneath `/walks/{id}`. */
import { FileDown, Footprints } from "lucide-react";
import { use, useRef, useState } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { xmlText } from "../../browser/xmlText";
import { formatDistance, type ReportKind } from "../../core";
import { gpxImport, loadWalkCore } from "../../core/walk";
import { isStorageTrouble, storageTrouble, useReplica } from "../../data";
import { kindOf, servicesOf, useWalks, type WalkRow } from "../../data/walks/walks";
import { TrackPicture } from "../../map";
import { walkIcon, walkSign } from "../../parts/walk/WalkSign";
import { clientsOf, clock, date, length, who } from "../../parts/walk/walkText";
import {
  Banner,
  Button,
  ButtonLink,
  Card,
  Chip,
  EmptyState,
  PageBody,
  PageHeader,
  SkeletonCards,
  toast,
  useBusy,
  useShortcut,
} from "../../ui";
import { ElsewhereReports } from "./ElsewhereReports";
import { PastWalk } from "./PastWalk";
import { keepImported } from "./tracker";

export default function WalksScreen() {
  use(loadWalkCore());
  return (
    <Switch>
      <Route path="/walks/:id">
        <PastWalk />
      </Route>
      <Route>
        <WalkList />
      </Route>
    </Switch>
  );
}

function WalkList() {
  const walks = useWalks();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const { busy, run } = useBusy();
  const file = useRef<HTMLInputElement>(null);
  useShortcut("n", "Start a walk", () => navigate("/walk"));

  const importFile = async (picked: File | undefined) => {
    if (!picked) return;
    setError(undefined);
    try {
      const read = gpxImport(xmlText(new Uint8Array(await picked.arrayBuffer())));
      if (read.status === "rejected") setError(read.error.text);
      else {
        const title = read.value.name || picked.name.replace(/\.gpx$/i, "");
        const row = await keepImported(title, Uint8Array.from(read.value.log));
        navigate(`/walks/${row.id}`);
        if (read.value.notice) toast.info(read.value.notice);
      }
    } catch (thrown) {
      setError(isStorageTrouble(thrown) ? storageTrouble(thrown) : "This file could not be read.");
    }
  };

  const past = walks?.filter((it) => it.summary);
  const aside = walks?.filter((it) => !it.summary && it.parked);
  const importing = (
    <Button
      kind="quiet"
      busy={busy}
      icon={<FileDown aria-hidden className="size-5" />}
      onClick={() => file.current?.click()}
    >
      Import GPX
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Walks"
        sub={past && past.length > 0 ? deviceText("Kept on this phone") : undefined}
        actions={
          <>
            <div className="max-md:hidden">{importing}</div>
            {/* Where there is none yet, the way to the first one stands in the middle. */}
            {past && past.length > 0 && <ButtonLink to="/walk">Start walk</ButtonLink>}
          </>
        }
      >
        <input
          ref={file}
          type="file"
          accept=".gpx,application/gpx+xml,application/xml,text/xml"
          aria-label="GPX file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const { files } = event.currentTarget;
            void run(() => importFile(files?.[0]));
            event.currentTarget.value = "";
          }}
        />
        {error && (
          <Banner kind="danger" role="alert">
            {error}
          </Banner>
        )}
      </PageHeader>
      <PageBody className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
        {!past && <SkeletonCards count={4} />}
        {aside?.map((row) => (
          <AsideCard key={row.id} row={row} />
        ))}
        {past?.map((row) => (
          <WalkCard key={row.id} row={row} />
        ))}
        {past?.length === 0 && aside?.length === 0 && (
          <EmptyState
            icon={<Footprints aria-hidden />}
            title="No walks yet"
            action={<ButtonLink to="/walk">Start your first walk</ButtonLink>}
            className="md:col-span-2 lg:col-span-3"
          >
            {deviceText("Walks that you track stay here, on this phone.")}
          </EmptyState>
        )}
        {past && <ElsewhereReports here={past} />}
        {past && <div className="justify-self-center md:hidden">{importing}</div>}
      </PageBody>
    </>
  );
}

/** A visit that goes on and was put aside: the way back to it, also where its service is gone. */
function AsideCard({ row }: { row: WalkRow }) {
  return (
    <Card pressable className="grid gap-1 p-3">
      <h2 className="truncate text-16 font-bold">
        <Link
          to={`/walk?service=${servicesOf(row)[0] ?? ""}`}
          className="stretched outline-none after:absolute after:inset-0"
        >
          {who(row)}
        </Link>
      </h2>
      <p className="num text-14 text-ink-2">{walkSign({ row, state: "running" })}</p>
    </Card>
  );
}

const KINDS: Record<ReportKind, string> = { walk: "no track recorded", visit: "visit", day: "day of a stay" };

/** Returns true for two points or more, each with latitude and longitude. */
const isDrawn = (line: readonly number[]): boolean => line.length > 2;

function WalkCard({ row }: { row: WalkRow }) {
  const units = useReplica((phone) => phone.units());
  const isShared = useReplica((phone) => phone.reports(row.id).length > 0);
  const { summary } = row;
  const clients = clientsOf(row);
  if (!summary) return null;
  const isTracked = summary.line.some(isDrawn);
  return (
    <Card pressable className="flex items-center gap-4 p-3">
      {isTracked ? (
        <TrackPicture lines={summary.line} className="size-20 shrink-0" />
      ) : (
        <span className="grid size-20 shrink-0 place-items-center rounded-small bg-sunken text-ink-3">
          {walkIcon(row)}
        </span>
      )}
      <div className="min-w-0">
        <h2 className="truncate text-16 font-bold">
          <Link to={`/walks/${row.id}`} className="stretched outline-none after:absolute after:inset-0">
            {row.title}
          </Link>
        </h2>
        {clients && <p className="truncate text-14 text-ink-2">{clients}</p>}
        <p className="num truncate text-14 text-ink-2">
          {date(row.started_at)}, {clock(row.started_at)}
        </p>
        <p className="num text-14 text-ink-2">
          {length(summary.ran_ms)} ·{" "}
          {isTracked || summary.distance_m > 0
            ? `${summary.at_least ? "at least " : ""}${formatDistance(summary.distance_m, units)}`
            : KINDS[kindOf(row)]}
        </p>
        {isShared && (
          <Chip kind="ok" className="mt-1">
            Shared
          </Chip>
        )}
      </div>
    </Card>
  );
}
