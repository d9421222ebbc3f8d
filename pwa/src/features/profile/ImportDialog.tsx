/** Owns an archive on its way into the business: the password, how far it is, what is in it, and what came of it. */
import { useEffect, useRef, useState } from "react";
import { forgetImport, type ImportState, importState, sendArchive, startImport } from "../../data/account/ownData";
import { Banner, Button, DialogActions, type FieldError, Form, ProgressBar, SubmitButton } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";

/** What is in an archive, in the order in which people think of it. */
const NAMES: [string, string][] = [
  ["client", "Clients"],
  ["pet", "Pets"],
  ["service", "Services"],
  ["invoice", "Invoices"],
  ["message", "Messages"],
  ["report", "Shared walks"],
  ["photos", "Photos"],
  ["videos", "Videos"],
  ["documents", "Documents"],
];

const LOOK_EVERY_MS = 1_000;

const isBusy = (it: ImportState | undefined) =>
  it !== undefined && ["checking", "writing", "undoing"].includes(it.state);

export default function ImportDialog({ file, onDone }: { file: File; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState<{ text: string; fields: FieldError[] }>();
  const [state, setState] = useState<ImportState>();
  const cancel = useRef<AbortController>(undefined);
  useEffect(() => () => cancel.current?.abort(), []);
  const busy = isBusy(state);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setInterval(() => {
      void importState().then((answer) => answer.ok && setState(answer.value));
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [busy]);

  const send = async () => {
    const controller = new AbortController();
    cancel.current = controller;
    setProblem(undefined);
    setShare(0);
    const answer = await sendArchive(file, { password, onProgress: setShare, signal: controller.signal });
    setShare(undefined);
    if (controller.signal.aborted) return;
    if (answer.ok) setState(answer.value);
    else setProblem({ text: answer.error.text, fields: answer.error.kind === "rejected" ? answer.error.fields : [] });
  };
  const start = async () => {
    const answer = await startImport();
    if (answer.ok) setState(answer.value);
    else setProblem({ text: answer.error.text, fields: [] });
  };
  const leave = () => {
    cancel.current?.abort();
    if (state && !busy) void forgetImport();
    onDone();
  };

  if (state === undefined) {
    return (
      <Form errors={problem?.fields} error={problem?.fields.length ? undefined : problem?.text} onSubmit={send}>
        <p className="break-words text-ink-2">{file.name}</p>
        {share === undefined ? (
          <OwnPasswordField autoFocus value={password} onChange={setPassword} />
        ) : (
          <>
            <ProgressBar label="Sent" value={share} />
            <p role="status" className="num text-14 text-ink-2">
              {Math.floor(share * 100)} % sent. Nothing is changed yet.
            </p>
          </>
        )}
        <DialogActions>
          <Button kind="quiet" onClick={leave}>
            Cancel
          </Button>
          <SubmitButton disabled={password === ""}>Send</SubmitButton>
        </DialogActions>
      </Form>
    );
  }
  return (
    <div className="grid gap-4">
      <Stage state={state} />
      {problem && (
        <Banner kind="danger" role="alert">
          {problem.text}
        </Banner>
      )}
      <DialogActions>
        <Button kind="quiet" onClick={leave}>
          {state.state === "ready" ? "Cancel" : state.state === "done" ? "Done" : "Back"}
        </Button>
        {state.state === "ready" && <Button onClick={() => void start()}>Import</Button>}
      </DialogActions>
    </div>
  );
}

function Stage({ state }: { state: ImportState }) {
  if (state.state === "failed") {
    return (
      <Banner kind="danger" role="alert">
        {state.fault} Your business is as it was.
      </Banner>
    );
  }
  if (state.state === "checking") return <p role="status">Walkies is looking through the archive.</p>;
  if (state.state === "ready") return <Counts state={state} />;
  if (state.state === "done") {
    return (
      <>
        <p role="status">The archive is imported.</p>
        <LeftOut state={state} />
      </>
    );
  }
  return (
    <>
      <ProgressBar label="Imported" value={state.done} max={state.total} />
      <p role="status" className="num text-14 text-ink-2">
        {state.done} of {state.total} records and files. You can close this: it goes on by itself.
      </p>
    </>
  );
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
  const n = state.left_out.length;
  if (n === 0) return null;
  return (
    <p className="text-14 text-ink-2">
      {n === 1 ? "1 file is" : `${n} files are`} missing from it, or of no kind that is taken.
    </p>
  );
}
