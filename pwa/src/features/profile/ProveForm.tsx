/** Owns the form of what nobody is to do by accident: it says what happens, and asks for the password and a word. */
import { type ReactNode, useState } from "react";
import type { Result } from "../../data";
import { Button, DialogActions, Form, SubmitButton, TextField } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";

interface ProveFormProps {
  /** The word that is to be typed. */
  word: string;
  /** Consequences, as a list's items. */
  children: ReactNode;
  /** Label of the button that does it. */
  act: string;
  /** False as long as it is not known what would happen. */
  isKnown?: boolean;
  onSubmit: (password: string) => Promise<Result>;
  onCancel: () => void;
}

export function ProveForm({ word, children, act, isKnown = true, onSubmit, onCancel }: ProveFormProps) {
  const [password, setPassword] = useState("");
  const [typed, setTyped] = useState("");
  const [result, setResult] = useState<Result>({ ok: true });
  const submit = async () => {
    if (typed === word && isKnown) setResult(await onSubmit(password));
  };
  return (
    <Form
      errors={result.ok ? undefined : result.error.fields}
      error={result.ok || result.error.fields?.length ? undefined : result.error.text}
      onSubmit={submit}
    >
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">{children}</ul>
      {/* Side by side on a desktop, where the second would lie below the fold of the dialog. */}
      <div className="grid gap-4 md:grid-cols-2">
        <OwnPasswordField value={password} onChange={setPassword} />
        <TextField
          reader="none"
          name="word"
          label={`Type ${word}`}
          autoComplete="off"
          autoCapitalize="characters"
          value={typed}
          onChange={setTyped}
        />
      </div>
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton kind="danger" disabled={!isKnown || typed !== word || password === ""}>
          {act}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
