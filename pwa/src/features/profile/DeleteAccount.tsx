/** Owns the end of an account: it says what happens, and asks for the password and a word that nobody types by accident. */
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { type Result, useSyncStatus } from "../../data";
import { deleteAccount } from "../../data/account/deleteAccount";
import { countLocalData } from "../../data/localData";
import { Button, DialogActions, Form, SubmitButton, TextField, toast } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";

const WORD = "DELETE";

export function DeleteAccount({ onCancel }: { onCancel: () => void }) {
  const { pending, attention } = useSyncStatus();
  const [, navigate] = useLocation();
  const [walks, setWalks] = useState(0);
  const [password, setPassword] = useState("");
  const [typed, setTyped] = useState("");
  const [result, setResult] = useState<Result>({ ok: true });
  useEffect(() => {
    void countLocalData().then(
      (it) => setWalks(it.walks),
      () => undefined,
    );
  }, []);

  const send = async () => {
    if (typed !== WORD) return;
    const answer = await deleteAccount(password);
    setResult(answer);
    if (!answer.ok) return;
    toast.info("Your account is deleted");
    navigate("/", { replace: true });
  };
  const unsent = pending + attention;
  return (
    <Form
      errors={result.ok ? undefined : result.error.fields}
      error={result.ok || result.error.fields?.length ? undefined : result.error.text}
      onSubmit={send}
    >
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">
        <li>
          Your clients, pets, services, schedule, availability, messages, invoices, shared walks, photos, videos and
          documents are deleted on the server, for good. Export them first if you need them for your taxes.
        </li>
        <li>
          What you have paid for Walkies stays with the payment processor for as long as tax law has its records kept,
          and what your clients have paid by card stays in your own Stripe account.
        </li>
        <li>{deviceText("Everything on this phone is deleted, too.")}</li>
        {walks > 0 && (
          <li>
            {deviceText(walks === 1 ? "1 walk is on this phone alone." : `${walks} walks are on this phone alone.`)}
          </li>
        )}
        {unsent > 0 && <li>{unsent === 1 ? "1 change was never sent." : `${unsent} changes were never sent.`}</li>}
        <li>Other devices are signed out. Nobody can bring any of it back.</li>
      </ul>
      <OwnPasswordField value={password} onChange={setPassword} />
      <TextField
        name="word"
        label={`Type ${WORD}`}
        autoComplete="off"
        autoCapitalize="characters"
        value={typed}
        onChange={setTyped}
      />
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton kind="danger" disabled={typed !== WORD || password === ""}>
          Delete account
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
