/** Owns one past walk: its map and facts, its name, GPX export, and deletion that can be taken back. */
import { ArrowLeft, EllipsisVertical, FileUp, Footprints, Pencil, Trash2 } from "lucide-react";
import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation, useParams } from "wouter";
import { deviceText } from "../../browser/device";
import { download } from "../../browser/download";
import { gpxExport, WalkRecording } from "../../core/walk";
import { business, dayOf } from "../../data";
import { deleteWalk, putWalk, readWalkLog, restoreWalk } from "../../data/walks/walkLog";
import { kindOf, useWalks, type WalkRow } from "../../data/walks/walks";
import { clientsOf, day } from "../../parts/walk/walkText";
import {
  Button,
  ButtonLink,
  Dialog,
  DialogActions,
  EmptyState,
  Form,
  IconButton,
  Menu,
  PageBody,
  PageHeader,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { useDogsAlong } from "./along";
import { takeBackAll } from "./live";
import { type RecordedWalk, viewOf } from "./recording";
import { askToTakeBack, ShareReport, unshare } from "./ShareReport";
import { photoIds } from "./tracker";
import { Timeline, WalkFacts } from "./WalkFacts";

export function PastWalk() {
  const { id } = useParams<{ id: string }>();
  const walks = useWalks();
  // It takes the place of a list that may have been scrolled; the section around both is one.
  useLayoutEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    window.scrollTo(0, 0);
  }, []);
  const row = walks?.find((it) => it.id === id);
  if (!walks) {
    return (
      <>
        <PageHeader title="Walk" />
        <PageBody>
          <Skeleton className="h-72 w-full" />
        </PageBody>
      </>
    );
  }
  if (!row?.summary) {
    return (
      <>
        <PageHeader title="Walk" />
        <EmptyState
          icon={<Footprints aria-hidden />}
          title={deviceText("This walk is not on this phone")}
          action={<ButtonLink to="/walks">All walks</ButtonLink>}
        />
      </>
    );
  }
  return <Known key={row.id} row={row} />;
}

function Known({ row }: { row: WalkRow }) {
  const [, navigate] = useLocation();
  const [recorded, setRecorded] = useState<RecordedWalk>();
  const [naming, setNaming] = useState(false);
  const dogs = useDogsAlong(row);
  const kind = kindOf(row);
  const hasTrack = kind === "walk" || (row.summary?.line.length ?? 0) > 0;

  useEffect(() => {
    let current = true;
    void readWalkLog(row.id).then(({ bytes, lengths }) => {
      if (!current) return;
      const recording = WalkRecording.of(bytes, lengths);
      setRecorded({ recording, walk: viewOf(recording) });
    });
    return () => {
      current = false;
    };
  }, [row.id]);

  const remove = async () => {
    // What was shared would have nobody left on this phone to take it back.
    if (business().phone.reports(row.id).length > 0) {
      if (!(await askToTakeBack(row.id)) || !(await unshare(row.id, row.title))) return;
    }
    const events = recorded?.walk.events ?? [];
    await takeBackAll(row, events);
    const deleted = await deleteWalk(row, photoIds(events));
    navigate("/walks", { replace: true });
    toast.info(`${row.title} deleted`, { label: "Undo", onAction: () => void restoreWalk(deleted) });
  };

  return (
    <>
      <PageHeader
        title={row.title}
        sub={[day(row.started_at), clientsOf(row)].filter(Boolean).join(" · ")}
        actions={
          <>
            <IconButton label="All walks" className="order-first -ml-3" onClick={() => navigate("/walks")}>
              <ArrowLeft />
            </IconButton>
            <Menu
              label={kind === "walk" ? "Walk" : "Visit"}
              trigger={(props) => (
                <IconButton label={`More for this ${kind}`} {...props}>
                  <EllipsisVertical />
                </IconButton>
              )}
              items={[
                { label: "Rename", icon: <Pencil />, onSelect: () => setNaming(true) },
                ...(hasTrack ? [{ label: "Export GPX", icon: <FileUp />, onSelect: () => void exportGpx(row) }] : []),
                { label: "Delete", icon: <Trash2 />, danger: true, onSelect: () => void remove() },
              ]}
            />
          </>
        }
      />
      <PageBody className="grid max-w-180 gap-5">
        {row.summary && recorded ? (
          <>
            <WalkFacts summary={row.summary} recorded={recorded} />
            <Timeline events={recorded.walk.events} dogs={dogs} />
            <ShareReport
              row={row}
              recorded={recorded}
              chosen={row.report}
              onChoose={(report) => void putWalk({ ...row, report })}
              main
            />
          </>
        ) : (
          <Skeleton className="h-72 w-full" />
        )}
      </PageBody>
      <Dialog open={naming} title="Rename" size="small" onClose={() => setNaming(false)}>
        <Rename row={row} onDone={() => setNaming(false)} />
      </Dialog>
    </>
  );
}

function Rename({ row, onDone }: { row: WalkRow; onDone: () => void }) {
  const [title, setTitle] = useState(row.title);
  return (
    <Form
      errors={[]}
      onSubmit={async () => {
        const name = title.trim();
        if (name && name !== row.title) {
          await putWalk({ ...row, title: name });
          toast.success("Walk renamed", { label: "Undo", onAction: () => void putWalk(row) });
        }
        onDone();
      }}
    >
      <TextField name="title" label="Name" reader="walk.title" value={title} onChange={setTitle} autoComplete="off" />
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </Form>
  );
}

async function exportGpx(row: WalkRow): Promise<void> {
  const { bytes, lengths } = await readWalkLog(row.id);
  const blob = new Blob([gpxExport(bytes, lengths, row.title)], { type: "application/gpx+xml" });
  download(blob, `${dayOf(row.started_at)} ${row.title.replace(/[^\p{L}\p{N} -]/gu, "")}.gpx`);
}
