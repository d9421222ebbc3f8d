/** Owns the second step of a sign-in: a code of the authenticator app, or a recovery code where the app is lost. */
import { useState } from "react";
import type { FactorNeeded } from "../../core";
import { signInByFactor } from "../../data";
import { AuthFrame, CodeField, problemOf } from "../../parts/account/AuthFrame";
import { Button, Form, SubmitButton } from "../../ui";

interface FactorStepProps {
  email: string;
  password: string;
  next: FactorNeeded;
  onBack: () => void;
  onEntered: () => void;
  /** Path that the mark leads to. */
  home?: string;
}

export function FactorStep({ email, password, next, onBack, onEntered, home = "/" }: FactorStepProps) {
  const [isLost, setLost] = useState(false);
  const [code, setCode] = useState("");

  const send = async () => {
    const result = await signInByFactor({ email, password }, next.challenge, code);
    if (result.ok) onEntered();
    return problemOf(result);
  };
  const change = () => {
    setLost(!isLost);
    setCode("");
  };

  return (
    <AuthFrame
      title="One more step"
      home={home}
      sub={
        isLost
          ? "One of the recovery codes that you were given with your authenticator app. Each works once."
          : `The code for Walkies in your authenticator app, for ${email}.`
      }
    >
      <Form key={String(isLost)} onSubmit={send}>
        {isLost ? (
          <CodeField label="Recovery code" inputMode="text" value={code} onChange={setCode} />
        ) : (
          <CodeField label="Code" hint="Six digits; they change every half minute." value={code} onChange={setCode} />
        )}
        <SubmitButton wide disabled={code.trim() === ""}>
          Sign in
        </SubmitButton>
      </Form>
      <div className="-mt-2 flex flex-wrap justify-between gap-2">
        <Button kind="plain" onClick={change}>
          {isLost ? "Use the authenticator app" : "Use a recovery code"}
        </Button>
        <Button kind="plain" onClick={onBack}>
          Back
        </Button>
      </div>
    </AuthFrame>
  );
}
