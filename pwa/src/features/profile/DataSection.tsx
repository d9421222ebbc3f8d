/** Owns one's own data: all of it as a file, a file into an empty business, and a business cleared of its work. */
import { DatabaseZap, FileUp, Smartphone, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { deviceText } from "../../browser/device";
import { download, givenToBrowser } from "../../browser/download";
import { formatDate } from "../../core";
import { dayOf, useReplica, useSyncStatus } from "../../data";
import { type ClearState, clearState, undoClear } from "../../data/account/ownData";
import { Section } from "../../parts/account/Section";
import { Banner, Button, Dialog, loadable, ProgressBar, toast } from "../../ui";
import { ExportEverything } from "./ExportEverything";
import { ImportBanner } from "./ImportProgress";

const ClearDialog = loadable(() => import("./ClearDialog"));
const ImportDialog = loadable(() => import("./ImportDialog"));

export function DataSection() {
  const { online, needsAuth } = useSyncStatus();
  const [open, setOpen] = useState<"import" | "clear">();
  const [file, setFile] = useState<File>();
  const picker = useRef<HTMLInputElement>(null);
  const cleared = useCleared(open === undefined);
  const isReachable = online && !needsAuth;
  const close = () => {
    setOpen(undefined);
    setFile(undefined);
  };
  return (
    <Section id="profile-data" title="Your data">
      {cleared.state && <Cleared {...cleared} state={cleared.state} isReachable={isReachable} />}
      {open === undefined && <ImportBanner isReachable={isReachable} onDone={cleared.look} />}
      <Exports isReachable={isReachable} />
      <div className="grid gap-2">
        <input
          ref={picker}
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label="Archive"
          onChange={(event) => {
            setFile(event.target.files?.[0]);
            setOpen(event.target.files?.[0] && "import");
            event.target.value = "";
          }}
        />
        <Button
          kind="quiet"
          icon={<FileUp aria-hidden className="size-5" />}
          disabled={!isReachable}
          onClick={() => picker.current?.click()}
        >
          Import an archive
        </Button>
        <Button
          kind="plain"
          icon={<DatabaseZap aria-hidden className="size-5" />}
          className="text-danger!"
          disabled={!isReachable}
          onClick={() => setOpen("clear")}
        >
          Clear my business
        </Button>
        <p className="text-14 text-ink-2 text-pretty">
          You can import an archive only into an empty business.
          {cleared.state === null && " You can undo clearing for 30 days, unless you add something new."}
          {!isReachable &&
            ` ${needsAuth ? "Sign in again" : "You need a connection"} to export everything, to import or to clear.`}
        </p>
      </div>
      <Dialog open={open === "import"} onClose={close} title="Import an archive" size="small" dismissible={false}>
        {file && <ImportDialog file={file} onDone={close} />}
      </Dialog>
      <Dialog open={open === "clear"} onClose={close} title="Clear my business" size="small" dismissible={false}>
        <ClearDialog onDone={close} />
      </Dialog>
    </Section>
  );
}

function Exports({ isReachable }: { isReachable: boolean }) {
  const [ofPhone, setOfPhone] = useState<{ done: number; total: number }>();
  const [problem, setProblem] = useState<string>();

  const exportPhone = async () => {
    setOfPhone({ done: 0, total: 1 });
    setProblem(undefined);
    try {
      const { phoneArchive } = await import("../../data/phoneArchive");
      const file = `walkies-phone-${dayOf(Date.now())}.zip`;
      download(await phoneArchive((done, total) => setOfPhone({ done, total })), file);
      toast.success(givenToBrowser(file));
    } catch {
      setProblem("The file could not be made. Close other apps and try again.");
    }
    setOfPhone(undefined);
  };

  return (
    <div className="grid gap-2">
      <ExportEverything path="/export" isReachable={isReachable} />
      <p className="text-14 text-ink-2 text-pretty">
        One archive: your records as JSON, tables for spreadsheets, QuickBooks Online and Xero, photos, videos,
        documents, invoices and shared walks.
      </p>
      <Button
        kind="quiet"
        busy={ofPhone !== undefined}
        icon={<Smartphone aria-hidden className="size-5" />}
        onClick={() => void exportPhone()}
      >
        {deviceText("Export this phone")}
      </Button>
      {ofPhone && <ProgressBar label={deviceText("Saved of this phone")} value={ofPhone.done} max={ofPhone.total} />}
      <p className="text-14 text-ink-2 text-pretty">
        {deviceText(
          "A copy of what is stored on this phone, with walks, unsent changes and what needs attention. It works without a network. You can keep and read it, but not import it.",
        )}
      </p>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
    </div>
  );
}

interface ClearedState {
  /** `null`: it was not cleared; absent where nobody knows. */
  state: ClearState | null | undefined;
  look: () => void;
}

/** Fetches the state of a cleared business, again while something is done about it. */
function useCleared(isClosed: boolean): ClearedState {
  const { online } = useSyncStatus();
  const version = useReplica((phone) => phone.sitter()?.id);
  const [state, setState] = useState<ClearState | null>();
  const [looks, setLooks] = useState(0);
  const isBusy = state?.state === "clearing" || state?.state === "restoring";
  useEffect(() => {
    if (!online || !isClosed) return undefined;
    let current = true;
    void clearState().then((answer) => {
      if (current && answer.ok) setState(answer.value);
    });
    return () => {
      current = false;
    };
  }, [online, isClosed, looks, version]);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(() => setLooks((it) => it + 1), 1_000);
    return () => clearInterval(timer);
  }, [isBusy]);
  return { state, look: () => setLooks((it) => it + 1) };
}

function Cleared({ state, look, isReachable }: ClearedState & { state: ClearState; isReachable: boolean }) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (state.state !== "cleared") {
    return (
      <Banner kind="info" role="status">
        {state.state === "clearing" ? "Your business is being cleared." : "Your business is being brought back."}
      </Banner>
    );
  }
  const undo = async () => {
    setIsBusy(true);
    const answer = await undoClear();
    setIsBusy(false);
    setProblem(answer.ok ? undefined : answer.error.text);
    look();
  };
  return (
    <Banner kind="info" role="status">
      <div className="grid gap-2">
        <p>
          {state.has_new_work
            ? `Your business was cleared. The server keeps a copy until ${dayText(state.undo_until)}.`
            : `Your business was cleared. You can undo this until ${dayText(state.undo_until)}.`}
        </p>
        {state.fault && <p>{state.fault}</p>}
        {problem && <p role="alert">{problem}</p>}
        {!state.has_new_work && (
          <Button
            kind="quiet"
            busy={isBusy}
            disabled={!isReachable}
            icon={<Undo2 aria-hidden className="size-5" />}
            onClick={() => void undo()}
          >
            Bring it back
          </Button>
        )}
      </div>
    </Banner>
  );
}

const dayText = (at: string) => formatDate(dayOf(Date.parse(at)));
