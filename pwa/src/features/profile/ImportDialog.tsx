/** Owns an archive on its way into the business: the password, how far it is, what is in it, and what came of it. */
import { useEffect, useRef, useState } from "react";
import { forgetImport, sendArchive, startImport } from "../../data/account/ownData";
import { Banner, Button, DialogActions, type FieldError, Form, ProgressBar, SubmitButton } from "../../ui";
import { Stage, useImport } from "./ImportProgress";
import { OwnPasswordField } from "./OwnPasswordField";

export default function ImportDialog({ file, onDone }: { file: File; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [share, setShare] = useState<number>();
  const [isSent, setIsSent] = useState(false);
  const [problem, setProblem] = useState<{ text: string; fields: FieldError[] }>();
  const { state, setState } = useImport(isSent);
  const cancel = useRef<AbortController>(undefined);
  useEffect(() => () => cancel.current?.abort(), []);

  const send = async () => {
    const controller = new AbortController();
    cancel.current = controller;
    setProblem(undefined);
    setShare(0);
    const answer = await sendArchive(file, { password, onProgress: setShare, signal: controller.signal });
    setShare(undefined);
    if (controller.signal.aborted) return;
    if (answer.ok) {
      setState(answer.value);
      setIsSent(true);
    } else setProblem({ text: answer.error.text, fields: answer.error.kind === "rejected" ? answer.error.fields : [] });
  };
  const start = async () => {
    const answer = await startImport();
    if (answer.ok) setState(answer.value);
    else setProblem({ text: answer.error.text, fields: [] });
  };
  const leave = () => {
    cancel.current?.abort();
    // What is ready stays, so that nobody sends gigabytes again: the profile has it.
    if (state?.state === "done" || state?.state === "failed") void forgetImport();
    onDone();
  };

  if (state === undefined || !isSent) {
    return (
      <Form errors={problem?.fields} error={problem?.fields.length ? undefined : problem?.text} onSubmit={send}>
        <p className="break-words text-ink-2">{file.name}</p>
        {share === undefined ? (
          <OwnPasswordField autoFocus value={password} onChange={setPassword} />
        ) : (
          <>
            <ProgressBar label="Sent" value={share} />
            <p className="num text-14 text-ink-2">{Math.floor(share * 100)} % sent. Nothing is changed yet.</p>
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
          {state.state === "ready" ? "Later" : state.state === "done" ? "Done" : "Back"}
        </Button>
        {state.state === "ready" && <Button onClick={() => void start()}>Import</Button>}
      </DialogActions>
    </div>
  );
}
