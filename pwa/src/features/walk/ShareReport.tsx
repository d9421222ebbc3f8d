/** Owns a walk's report on its way to the clients: sharing it, its links, and taking it back. */
import { CloudOff, Copy, ExternalLink, Pencil, Send, Undo2 } from "lucide-react";
import { useState } from "react";
import type { Report } from "../../core";
import type { Walk, WalkTrace } from "../../core/walk";
import { save, useRead, useReplica, useSyncStatus } from "../../data";
import type { ReportChoice, WalkRow } from "../../data/walks";
import { Button, Card, Chip, confirm, toast } from "../../ui";
import { useFix } from "../attention/fix";
import { ShareDialog } from "./ShareDialog";
import { names } from "./words";

interface ShareReportProps {
  row: WalkRow;
  walk: Walk;
  trace: WalkTrace;
  /** What was chosen the last time, or `undefined` for a walk that was never shared. */
  chosen: ReportChoice | undefined;
  onChoose: (chosen: ReportChoice) => void;
  /** Sharing is what one comes to this screen for. */
  main?: boolean;
}

export function ShareReport({ row, walk, trace, chosen, onChoose, main = false }: ShareReportProps) {
  const reports = useRead((phone) => phone.reports(row.id), row.id);
  const { fix, leaveFix } = useFix("share_walk");
  const mended = fix?.command.args.id === row.id ? fix : undefined;
  const [open, setOpen] = useState(false);
  const isShared = reports.length > 0;

  const close = () => {
    setOpen(false);
    if (mended) leaveFix();
  };
  const takeBack = async (of: ReportChoice | undefined) => {
    if (!(await unshare(row.id, row.title))) return;
    if (of) onChoose({ ...of, taken_back: true });
    toast.info("Report taken back");
  };
  const askAndTakeBack = async () => {
    if (await askToTakeBack()) await takeBack(chosen);
  };

  return (
    <>
      {isShared ? (
        <Card className="grid grid-cols-1 gap-4">
          <h2 className="text-20 font-bold">Report</h2>
          <ul className="grid grid-cols-1 gap-4">
            {reports.map((report) => (
              <SharedWith key={report.id} report={report} main={main && reports.length === 1} />
            ))}
          </ul>
          <div className="-mx-2 -mb-2 flex flex-wrap gap-x-2 border-t border-line pt-2">
            <Button kind="plain" icon={<Pencil aria-hidden className="size-5" />} onClick={() => setOpen(true)}>
              Change
            </Button>
            <Button
              kind="plain"
              className="text-danger!"
              icon={<Undo2 aria-hidden className="size-5" />}
              onClick={() => void askAndTakeBack()}
            >
              Take back
            </Button>
          </div>
        </Card>
      ) : (
        <div className="grid gap-2">
          <Button
            kind={main ? "primary" : "quiet"}
            wide
            icon={<Send aria-hidden className="size-5" />}
            onClick={() => setOpen(true)}
          >
            Share report
          </Button>
          <p className="text-center text-14 text-ink-2 text-pretty">
            {chosen?.taken_back
              ? "Taken back: its link shows nothing any more."
              : "Where you walked stays on this phone until you share it."}
          </p>
        </div>
      )}
      {(open || mended) && (
        <ShareDialog
          row={row}
          walk={walk}
          trace={trace}
          chosen={chosen}
          resolves={mended?.id}
          onClose={close}
          onShared={(next) => {
            close();
            onChoose(next);
            const undo = { label: "Undo", onAction: () => void takeBack(next) };
            if (isShared) toast.success("Report changed");
            else toast.success(navigator.onLine ? "Report shared" : "The report goes out with the next network", undo);
          }}
        />
      )}
    </>
  );
}

/** Its link stops for good, so that this is asked and not undone. */
export const askToTakeBack = (): Promise<boolean> =>
  confirm({
    title: "Take the report back?",
    text: "Its link stops working for good, and its photos are removed. Sharing again makes a new link.",
    action: "Take back",
    danger: true,
  });

/** Takes back what was shared of a walk; says so where this phone could not store that. */
export async function unshare(walkId: string, title: string): Promise<boolean> {
  try {
    const saved = await save({ name: "unshare_walk", args: { id: walkId } }, `Take back the report of ${title}`);
    if (!saved.ok) toast.error(saved.text);
    return saved.ok;
  } catch {
    toast.error("This phone could not store that. Please try again.");
    return false;
  }
}

/** The address of a report's page. */
export const reportUrl = (shareId: string): string => `${location.origin}/report/${shareId}`;

function SharedWith({ report, main }: { report: Report; main: boolean }) {
  const client = useReplica((phone) => phone.client(report.client_id)?.client.name);
  const pending = useReplica((phone) => phone.isPending("report", report.id));
  const url = report.share_id ? reportUrl(report.share_id) : undefined;
  const dogs = names(report.dogs);
  return (
    <li className="grid grid-cols-1 gap-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="truncate font-bold">{dogs}</p>
          <p className="truncate text-14 text-ink-2">{client ?? "A client who was deleted"}</p>
        </div>
        <State waits={pending} />
      </div>
      {url && (
        <div className="flex flex-wrap gap-2">
          <Button
            kind={main ? "primary" : "quiet"}
            className="flex-1"
            icon={<Send aria-hidden className="size-5" />}
            onClick={() => void send(url, dogs)}
          >
            Send link<span className="sr-only"> for {dogs}</span>
          </Button>
          <Button
            kind="quiet"
            className="w-12 shrink-0 px-0!"
            title="Copy link"
            icon={<Copy aria-hidden className="size-5" />}
            onClick={() => void copy(url)}
          >
            <span className="sr-only">Copy link for {dogs}</span>
          </Button>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            title="Open"
            className="grid size-12 shrink-0 place-items-center rounded-large shadow-[inset_0_0_0_1px_var(--color-line)] hover:bg-sunken"
          >
            <ExternalLink aria-hidden className="size-5" />
            <span className="sr-only">Open the report for {dogs}</span>
          </a>
        </div>
      )}
    </li>
  );
}

function State({ waits }: { waits: boolean }) {
  const { online } = useSyncStatus();
  if (!waits) return <Chip kind="ok">Shared</Chip>;
  if (online) return <Chip>Sending</Chip>;
  return (
    <Chip kind="tag" icon={<CloudOff aria-hidden />}>
      Waits for network
    </Chip>
  );
}

/** By whatever the phone writes with; where it has no such sheet, by way of the clipboard. */
async function send(url: string, dogs: string): Promise<void> {
  if (!navigator.share) return copy(url);
  try {
    await navigator.share({ title: `A walk with ${dogs}`, text: `A walk with ${dogs}`, url });
  } catch (error) {
    // Closing the sheet is an answer, too.
    if (!(error instanceof DOMException && error.name === "AbortError")) await copy(url);
  }
}

async function copy(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast.success("Link copied");
  } catch {
    toast.error(`This browser does not copy. The link is ${url}`);
  }
}
