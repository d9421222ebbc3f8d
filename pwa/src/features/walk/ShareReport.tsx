/** Owns a walk's report on its way to the clients: sharing it, its links, and taking it back. */
import { CloudOff, Copy, ExternalLink, Pencil, Send, Undo2 } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { deviceText } from "../../browser/device";
import type { Mutation, Report } from "../../core";
import { business, canSendNow, SEND_STATE, save, useRead, useReplica, useSendState } from "../../data";
import type { ReportChoice, WalkRow } from "../../data/walks/walks";
import { useFix } from "../../parts/attention/fix";
import { copyLink, reportUrl } from "../../parts/sharing/sendLink";
import { useOwnPages } from "../../parts/sharing/useOwnPages";
import { tellWhenSent } from "../../parts/tellWhenSent";
import { SEND } from "../../parts/walk/SendReport";
import { names } from "../../parts/walk/walkText";
import { Button, Card, Chip, confirm, toast } from "../../ui";
import { passOnReport } from "./passOnReport";
import type { RecordedWalk } from "./recording";
import { tellWhenShared } from "./reportNews";
import { ShareDialog } from "./ShareDialog";

interface ShareReportProps {
  row: WalkRow;
  recorded: RecordedWalk;
  /** The choices of the last time, or `undefined` for a walk that was never shared. */
  chosen: ReportChoice | undefined;
  onChoose: (chosen: ReportChoice) => void;
  /** Sharing is what one comes to this screen for. */
  main?: boolean;
}

export function ShareReport({ row, recorded, chosen, onChoose, main = false }: ShareReportProps) {
  useOwnPages();
  const reports = useRead((phone) => phone.reports(row.id), row.id);
  const { fix, leaveFix } = useFix("share_walk");
  const mended = fix?.command.args.id === row.id ? fix : undefined;
  const [params, setParams] = useSearchParams();
  const [open, setOpen] = useState(params.has(SEND));
  const isShared = reports.length > 0;
  const waits = useReplica((phone) => phone.outbox().some(({ mutation }) => isTakingBack(mutation, row.id)));

  const close = () => {
    setOpen(false);
    if (params.has(SEND)) {
      const { [SEND]: _, ...rest } = Object.fromEntries(params);
      setParams(rest, { replace: true });
    }
    if (mended) leaveFix();
  };
  const takeBack = async () => {
    if (!(await askToTakeBack(row.id)) || !(await unshare(row.id, row.title))) return;
    if (chosen) onChoose({ ...chosen, taken_back: true });
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
              onClick={() => void takeBack()}
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
            {waits
              ? UNTIL_SENT
              : chosen?.taken_back
                ? "Taken back: its link no longer shows it."
                : deviceText("The recording stays on this phone until you share it.")}
          </p>
        </div>
      )}
      {(open || mended) && (
        <ShareDialog
          row={row}
          recorded={recorded}
          chosen={chosen}
          resolves={mended?.id}
          onClose={close}
          onShared={(next) => {
            close();
            onChoose(next);
            void tellWhenShared(row.id, isShared);
          }}
        />
      )}
    </>
  );
}

const UNTIL_SENT = "Taking it back waits to be sent. Until then a link that you sent still works.";

const isTakingBack = ({ name, args }: Mutation, walkId: string): boolean =>
  name === "unshare_walk" && (args as { id: string }).id === walkId;

/** Its link stops for good, so that this is asked and not undone. */
export async function askToTakeBack(walkId: string): Promise<boolean> {
  const phone = await business().wholePhone();
  const clients = phone.reports(walkId).map((it) => it.client_id);
  const told = phone.toldOfRemoval(clients, canSendNow());
  return confirm({
    title: "Take the report back?",
    text: `Its link stops working for good, and its photos are removed. Sharing again makes a new link. ${told}`.trim(),
    action: "Take back",
    danger: true,
  });
}

/** Takes back what was shared of a walk; says when it is so, and where this phone could not store that. */
export async function unshare(walkId: string, title: string): Promise<boolean> {
  try {
    const saved = await save({ name: "unshare_walk", args: { id: walkId } }, `Take back the report of ${title}`);
    if (saved.ok) tellWhenSent(saved.id, { waits: UNTIL_SENT, done: "Report taken back" });
    else toast.error(saved.text);
    return saved.ok;
  } catch {
    toast.error(deviceText("This phone could not store that. Please try again."));
    return false;
  }
}

function SharedWith({ report, main }: { report: Report; main: boolean }) {
  const client = useReplica((phone) => phone.client(report.client_id)?.client.name);
  const pending = useReplica((phone) => phone.isPending("report", report.id));
  const url = report.share_id ? reportUrl(report.share_id) : undefined;
  const dogs = names(report.dogs);
  const way = useReplica((phone) => phone.gotReport(report.id));
  return (
    <li className="grid grid-cols-1 gap-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="truncate font-bold">{dogs}</p>
          <p className="truncate text-14 text-ink-2">
            <bdi>{client ?? "A client who was deleted"}</bdi>
          </p>
        </div>
        <State waits={pending} />
      </div>
      {way && !pending && <p className="text-14 text-ink-2">{way}</p>}
      {url && (
        <div className="flex flex-wrap gap-2">
          <Button
            kind={main ? "primary" : "quiet"}
            className="flex-1"
            icon={<Send aria-hidden className="size-5" />}
            onClick={() => void passOnReport(report)}
          >
            Send link<span className="sr-only"> for {dogs}</span>
          </Button>
          <Button
            kind="quiet"
            className="w-12 shrink-0 px-0!"
            title="Copy link"
            icon={<Copy aria-hidden className="size-5" />}
            onClick={() => void copyLink(url)}
          >
            <span className="sr-only">Copy link for {dogs}</span>
          </Button>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            title="Open"
            className="grid size-12 shrink-0 place-items-center rounded-large shadow-[inset_0_0_0_1px_var(--color-line)] hover:bg-sunken forced-colors:border"
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
  const state = useSendState();
  if (!waits) return <Chip kind="ok">Shared</Chip>;
  if (state === "sending") return <Chip>{SEND_STATE[state]}</Chip>;
  return (
    <Chip kind="tag" icon={<CloudOff aria-hidden />}>
      {SEND_STATE[state]}
    </Chip>
  );
}
