/** Owns the change of a pet parent's email: the new address with the password, then the code that is mailed there. */
import { useState } from "react";
import { hasBothRoles, useSession } from "../../data";
import { askForEmail, confirmEmail } from "../../data/account/security";
import { Button, DialogActions, Form, type FormProblem, SubmitButton, TextField, toast } from "../../ui";

export function ChangeEmail({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState("");
  const [token, setToken] = useState<string>();
  if (token === undefined) return <NewEmail email={email} onEmail={setEmail} onAsked={setToken} onCancel={onDone} />;
  return <Code email={email.trim()} token={token} onBack={() => setToken(undefined)} onDone={onDone} />;
}

interface NewEmailProps {
  email: string;
  onEmail: (email: string) => void;
  onAsked: (token: string) => void;
  onCancel: () => void;
}

function NewEmail({ email, onEmail, onAsked, onCancel }: NewEmailProps) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const send = async (): Promise<FormProblem | undefined> => {
    const answer = await askForEmail(password, email);
    if (!answer.ok) return answer.error;
    onAsked(answer.value.token);
    return undefined;
  };
  return (
    <Form onSubmit={send}>
      <TextField
        reader="none"
        name="email"
        label="New email"
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        onChange={onEmail}
      />
      <TextField
        reader="none"
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <p className="text-14 text-ink-2">
        You sign in with the new email once you have entered the code for it
        {user && hasBothRoles(user) && ", also to your business, whose own email stays as it is"}.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton>Continue</SubmitButton>
      </DialogActions>
    </Form>
  );
}

interface CodeProps {
  email: string;
  token: string;
  onBack: () => void;
  onDone: () => void;
}

function Code({ email, token, onBack, onDone }: CodeProps) {
  const [code, setCode] = useState("");
  const send = async (): Promise<FormProblem | undefined> => {
    const answer = await confirmEmail(token, code);
    if (!answer.ok) return answer.error;
    toast.success("Email changed");
    onDone();
    return undefined;
  };
  return (
    <Form onSubmit={send}>
      <TextField
        reader="none"
        name="code"
        label="Code"
        hint={`The code for ${email} has eight digits and works for 30 minutes.`}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <p className="text-14 text-ink-2 text-pretty">An address that has an account already gets no code.</p>
      <DialogActions>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
        <SubmitButton disabled={code.trim() === ""}>Change email</SubmitButton>
      </DialogActions>
    </Form>
  );
}
