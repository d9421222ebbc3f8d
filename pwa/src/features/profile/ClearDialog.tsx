/** Owns clearing a business: it says what goes, and asks for the password and a word that nobody types by accident. */
import { useState } from "react";
import type { Result } from "../../data";
import { useSyncStatus } from "../../data";
import { clearBusiness } from "../../data/account/ownData";
import { Button, DialogActions, Form, SubmitButton, TextField, toast } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";

const WORD = "CLEAR";

export default function ClearDialog({ onDone }: { onDone: () => void }) {
  const { pending } = useSyncStatus();
  const [password, setPassword] = useState("");
  const [typed, setTyped] = useState("");
  const [result, setResult] = useState<Result>({ ok: true });
  const send = async () => {
    if (typed !== WORD) return;
    const answer = await clearBusiness(password, typed);
    if (answer.ok) {
      toast.info("Your business is being cleared");
      onDone();
    } else {
      const { error } = answer;
      setResult({ ok: false, error: { text: error.text, fields: error.kind === "rejected" ? error.fields : [] } });
    }
  };
  return (
    <Form
      errors={result.ok ? undefined : result.error.fields}
      error={result.ok || result.error.fields?.length ? undefined : result.error.text}
      onSubmit={send}
    >
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">
        <li>
          Your clients, pets, services, offerings, availability, requests, messages, invoices and shared walks go, here
          and on your other devices.
        </li>
        <li>Links that you have shared lead nowhere any more, and pet parents see nothing.</li>
        <li>Your account, your profile, your settings, your documents and the walks on your phones stay.</li>
        <li>For 30 days you can bring all of it back. After that it is deleted for good.</li>
        {pending > 0 && <li>Changes that wait to be sent are sent afterwards, and may need attention.</li>}
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
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton kind="danger" disabled={typed !== WORD || password === ""}>
          Clear my business
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
