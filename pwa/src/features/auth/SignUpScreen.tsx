/**
 * Owns how a new sitter joins: four fields, of which the phone guesses one, and the code from the mail. Who may join is
 * the server's to say, and said before anybody types.
 */
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import type { SignUpRules } from "../../core";
import { confirmSignUp, signUp, signUpRules } from "../../data";
import { Banner, Button, Form, Select, SubmitButton, TextField } from "../../ui";
import { AuthFrame, AuthLink, CodeField, EmailField, problemOf } from "./AuthFrame";
import { useEmail } from "./email";
import { NewPasswordField } from "./NewPasswordField";

const GUESSED = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([GUESSED, ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({
  value: zone,
  label: zone.replaceAll("_", " "),
}));

export default function SignUpScreen() {
  const [query] = useSearchParams();
  const invitation = query.get("invitation");
  const rules = useRules(invitation);
  const [name, setName] = useState("");
  const [typed, setTyped, forgetEmail] = useEmail();
  const [password, setPassword] = useState("");
  const [timeZone, setTimeZone] = useState(GUESSED);
  const [confirmation, setConfirmation] = useState<string>();
  const [isBack, setBack] = useState(false);
  const email = rules?.email ?? typed.trim();

  const join = async () => {
    const fields = { name, email, password, time_zone: timeZone };
    const result = await signUp(invitation ? { ...fields, invitation } : fields);
    setConfirmation(result.confirmation);
    if (result.ok && !result.confirmation) forgetEmail();
    return problemOf(result);
  };
  const foot = (
    <>
      <AuthLink to="/auth/login">I have an account</AuthLink>
      <AuthLink to="/">About Walkies</AuthLink>
    </>
  );

  if (confirmation) {
    return (
      <CodeStep
        email={email}
        password={password}
        sendsMail={rules?.sends_mail ?? true}
        confirmation={confirmation}
        onBack={() => {
          setBack(true);
          setConfirmation(undefined);
        }}
        onEntered={forgetEmail}
      />
    );
  }
  const closed = rules && whyNot(rules, invitation);
  if (closed) {
    return (
      <AuthFrame title="Join as a sitter" foot={foot}>
        <Banner role="status">{closed}</Banner>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Join as a sitter"
      sub="Your business in your pocket. It starts with sensible services and hours; change them any time."
      foot={foot}
    >
      <Form onSubmit={join}>
        <TextField name="name" label="Your name" autoComplete="name" value={name} onChange={setName} />
        {rules?.email ? (
          <TextField
            name="email"
            label="Email"
            disabled
            hint="You were invited by it."
            value={rules.email}
            onChange={() => undefined}
          />
        ) : (
          <EmailField value={typed} onChange={setTyped} autoFocus={isBack} />
        )}
        <NewPasswordField name="password" label="Password" value={password} onChange={setPassword} />
        <Select
          name="time_zone"
          label="Time zone"
          hint="All times of your business are meant in it."
          value={timeZone}
          onChange={setTimeZone}
          options={ZONES}
        />
        <SubmitButton wide>Create account</SubmitButton>
      </Form>
    </AuthFrame>
  );
}

/** Unknown until the server has answered; the form is there meanwhile, and the server says the same to it. */
function useRules(invitation: string | null): SignUpRules | undefined {
  const [rules, setRules] = useState<SignUpRules>();
  useEffect(() => {
    let current = true;
    void signUpRules(invitation).then((it) => current && setRules(it));
    return () => {
      current = false;
    };
  }, [invitation]);
  return rules;
}

function whyNot({ mode, is_invited }: SignUpRules, invitation: string | null): string | undefined {
  if (mode === "closed") return "This server takes no new accounts. Ask whoever runs it.";
  if (invitation && !is_invited) return "This invitation is no longer valid. Ask whoever sent it for a new one.";
  if (mode === "invite" && !invitation) {
    return "This server takes new accounts by invitation only. Ask whoever runs it for a link.";
  }
  return undefined;
}

interface CodeStepProps {
  email: string;
  password: string;
  sendsMail: boolean;
  confirmation: string;
  onBack: () => void;
  onEntered: () => void;
}

/** The screen is the same whether or not the address has an account: the mail says so to its owner alone. */
function CodeStep({ email, password, sendsMail, confirmation, onBack, onEntered }: CodeStepProps) {
  const [code, setCode] = useState("");
  const send = async () => {
    const result = await confirmSignUp(confirmation, code, password);
    if (result.ok) onEntered();
    return problemOf(result);
  };
  return (
    <AuthFrame
      title="Look into your mail"
      sub={`We have written to ${email}. Type the code from the mail here; it works for 30 minutes.`}
      foot={<AuthLink to="/auth/login">I have an account</AuthLink>}
    >
      {!sendsMail && (
        <Banner kind="plain">
          This server sends no mail yet: whoever runs it finds the code in the server's folder of mails.
        </Banner>
      )}
      <Form onSubmit={send}>
        <CodeField label="Code" hint="Eight digits." value={code} onChange={setCode} />
        <SubmitButton wide disabled={code.trim() === ""}>
          Join
        </SubmitButton>
      </Form>
      <div className="-mt-2">
        <Button kind="plain" onClick={onBack}>
          No mail? Check the address and try again
        </Button>
      </div>
    </AuthFrame>
  );
}
