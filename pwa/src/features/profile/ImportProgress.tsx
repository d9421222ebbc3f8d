/** Owns how far an archive is that comes into the business, in words: in its dialog, and on the profile when that is closed. */
import { useEffect, useRef, useState } from "react";
import { useSyncStatus } from "../../data";
import { forgetImport, type ImportState, importState, startImport } from "../../data/account/ownData";
import { Banner, Button, ProgressBar } from "../../ui";

/** Kinds of rows and files in an archive, in the order in which people think of them. */
const NAMES: [string, string][] = [
  ["client", "Clients"],
  ["pet", "Pets"],
  ["service", "Services"],
  ["invoice", "Invoices"],
  ["expense", "Mileage and expenses"],
  ["message", "Messages"],
  ["report", "Shared walks"],
  ["photos", "Photos"],
  ["videos", "Videos"],
  ["documents", "Documents"],
];

const LOOK_EVERY_MS = 1_000;

export const isBusy = (it: ImportState | undefined) =>
  it !== undefined && ["checking", "writing", "undoing"].includes(it.state);

/** How far it is, looked at again while somebody works on it. */
export function useImport(isLooking: boolean) {
  const { online } = useSyncStatus();
  const [state, setState] = useState<ImportState>();
  const busy = isBusy(state);
  useEffect(() => {
    if (!online || !isLooking) return undefined;
    let current = true;
    const look = () =>
      void importState().then((answer) => {
        if (current && answer.ok) setState(answer.value ?? undefined);
      });
    look();
    const timer = busy ? setInterval(look, LOOK_EVERY_MS) : undefined;
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [online, isLooking, busy]);
  return { state, setState };
}

/** Shows an archive that is on the server, with the buttons to import or drop it, and why the last press failed. */
export function ImportBanner({ isReachable, onDone }: { isReachable: boolean; onDone: () => void }) {
  const { state, setState } = useImport(true);
  const isDone = state?.state === "done";
  const told = useRef(onDone);
  told.current = onDone;
  useEffect(() => {
    if (isDone) told.current();
  }, [isDone]);
  const [problem, setProblem] = useState<string>();
  if (state === undefined) return null;
  const start = async () => {
    const answer = await startImport();
    if (answer.ok) setState(answer.value);
    setProblem(answer.ok ? undefined : answer.error.text);
  };
  const forget = async () => {
    const answer = await forgetImport();
    setProblem(answer.ok ? undefined : answer.error.text);
    const after = await importState();
    if (after.ok) setState(after.value ?? undefined);
  };
  const isOver = state.state === "done" || state.state === "failed";
  return (
    <Banner kind={state.state === "failed" ? "danger" : "info"}>
      <div className="grid gap-2">
        <Stage state={state} />
        {problem && <p role="alert">{problem}</p>}
        {state.state === "ready" && (
          <Button kind="quiet" disabled={!isReachable} onClick={() => void start()}>
            Import
          </Button>
        )}
        {!["checking", "undoing"].includes(state.state) && (
          <Button kind="quiet" disabled={!isReachable} onClick={() => void forget()}>
            {isOver ? "Done" : state.state === "writing" ? "Stop and take it back" : "Forget this archive"}
          </Button>
        )}
      </div>
    </Banner>
  );
}

export function Stage({ state }: { state: ImportState }) {
  switch (state.state) {
    case "receiving":
      return <p>Part of an archive was sent. Choose the same file again to continue.</p>;
    case "checking":
      return <p role="status">Walkies is checking the archive.</p>;
    case "ready":
      return <Counts state={state} />;
    case "undoing":
      return <p role="status">The import is being undone.</p>;
    case "failed":
      return <p role="alert">{state.fault} Your business is as it was.</p>;
    case "done":
      return (
        <>
          <p role="status">The archive is imported.</p>
          <LeftOut state={state} />
        </>
      );
    default:
      return (
        <>
          <p role="status">An archive is being imported. Until it is done, changes wait on your devices.</p>
          <ProgressBar label="Imported" value={state.done} max={state.total} />
          <p className="num text-14 text-ink-2">
            {state.done} of {state.total} records and files. It goes on by itself.
          </p>
        </>
      );
  }
}

function Counts({ state }: { state: ImportState }) {
  const counts = new Map(state.counts);
  const found = NAMES.filter(([name]) => counts.get(name));
  return (
    <>
      <p role="status">This is in the archive:</p>
      <dl className="num grid gap-x-5 *:flex *:min-h-10 *:items-center *:justify-between *:border-b *:border-line">
        {found.map(([name, label]) => (
          <div key={name}>
            <dt className="text-14 text-ink-2">{label}</dt>
            <dd className="font-medium">{counts.get(name)}</dd>
          </div>
        ))}
      </dl>
      <LeftOut state={state} />
    </>
  );
}

function LeftOut({ state }: { state: ImportState }) {
  const n = state.left_out_count;
  if (n === 0) return null;
  return (
    <p className="text-14 text-ink-2">
      {n === 1 ? "1 file is" : `${n} files are`} missing from it, or of no kind that is taken.
    </p>
  );
}
