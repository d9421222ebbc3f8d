/**
 * Owns the two steps by which a new sitter gets an account: four fields, of which the phone guesses one, and the code
 * from the mail. Who may join is the server's to say, and said before anybody types.
 */
import { useEffect, useState } from "react";
import type { SignUpRules } from "../../core";
import { confirmSignUp, signUp, signUpRules } from "../../data/account/signUp";
import { AuthFrame, AuthLink, CodeField, EmailField, problemOf } from "../../parts/account/AuthFrame";
import { NewPasswordField } from "../../parts/account/NewPasswordField";
import { Banner, Button, Form, Select, SubmitButton, TextField } from "../../ui";
import { awaitCode, type CodeAwaited, codeAwaited } from "./codeAwaited";
import { useEmail } from "./email";

export const GUESSED = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([GUESSED, ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({
  value: zone,
  label: zone.replaceAll("_", " "),
}));

/** A sign-up from its form to its code. */
export interface SignUpSteps {
  /** Unknown until the server has answered; the form is there meanwhile, and the server says the same to it. */
  rules: SignUpRules | undefined;
  invitation: string | null;
  /** By which a sitter invites a pet parent: it lets them in whoever else may join. */
  inviteCode: string | undefined;
  /** The code that has to come next. */
  awaited: CodeAwaited | undefined;
  /** With the code's, or back to the form. */
  wait: (awaited: CodeAwaited | undefined) => void;
  password: string;
  setPassword: (password: string) => void;
  isBack: boolean;
}

/** Also after a break: a phone that was in its mail meanwhile has often forgotten the page. */
export function useSignUp(invitation: string | null, inviteCode?: string): SignUpSteps {
  const rules = useRules(invitation);
  const [awaited, setAwaited] = useState(codeAwaited);
  const [password, setPassword] = useState("");
  const [isBack, setBack] = useState(false);
  const wait = (next: CodeAwaited | undefined) => {
    awaitCode(next);
    setAwaited(next);
    setBack(next === undefined);
  };
  return { rules, invitation, inviteCode, awaited, wait, password, setPassword, isBack };
}

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

/** Why nobody may join, or not with this invitation; nothing where it may be tried. */
export function whyNot({ rules, invitation }: SignUpSteps): string | undefined {
  if (rules?.mode === "closed") return "This server takes no new accounts. Ask its administrator.";
  if (rules && invitation && !rules.is_invited) {
    return "This invitation is no longer valid. Ask for a new one.";
  }
  if (rules?.mode === "invite" && !invitation) {
    return "This server takes new accounts by invitation only. Ask its administrator for a link.";
  }
  return undefined;
}

export function SignUpForm({ rules, invitation, inviteCode, wait, password, setPassword, isBack }: SignUpSteps) {
  const [name, setName] = useState("");
  const [typed, setTyped, forgetEmail] = useEmail();
  const [timeZone, setTimeZone] = useState(GUESSED);
  const email = rules?.email ?? typed.trim();

  const join = async () => {
    const fields = { name, email, password, time_zone: timeZone };
    const result = await signUp({
      ...fields,
      ...(invitation && { invitation }),
      ...(inviteCode !== undefined && { invite_code: inviteCode }),
    });
    if (result.awaited) wait({ ...result.awaited, email });
    else if (result.ok) forgetEmail();
    return problemOf(result);
  };
  return (
    <Form onSubmit={join}>
      <TextField
        reader={inviteCode === undefined ? "sitter.name" : { reader: "message", says: "Your sitter sees this" }}
        name="name"
        label="Your name"
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      {rules?.email ? (
        <TextField
          reader="none"
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
      {inviteCode === undefined && <TimeZoneField value={timeZone} onChange={setTimeZone} />}
      <SubmitButton wide>Create account</SubmitButton>
    </Form>
  );
}

/** The time zone of a business that begins. */
export function TimeZoneField(it: { value: string; onChange: (value: string) => void }) {
  return (
    <Select
      name="time_zone"
      label="Time zone"
      hint="All your business times use this time zone."
      options={ZONES}
      {...it}
    />
  );
}

/** The screen is the same whether or not the address has an account: the mail says so to its owner alone. */
export function CodeStep({ steps, awaited }: { steps: SignUpSteps; awaited: CodeAwaited }) {
  const [code, setCode] = useState("");
  const [, , forgetEmail] = useEmail();
  const { rules, password, wait } = steps;
  // Until the server has said so, it is taken to send mail.
  const sendsMail = rules?.sends_mail ?? true;
  const send = async () => {
    // Not known any more where the page was left for the mail; the next sign-in has it again.
    const result = await confirmSignUp(awaited.confirmation, code, password || undefined);
    if (result.ok) {
      awaitCode(undefined);
      forgetEmail();
    }
    return problemOf(result);
  };
  return (
    <AuthFrame
      title={sendsMail ? "Check your email" : "Enter your code"}
      sub={
        sendsMail
          ? `We've emailed a code to ${awaited.email}. Enter it here within 30 minutes.`
          : `There is a code for ${awaited.email}. Enter it here within 30 minutes.`
      }
      foot={<AuthLink to="/auth/login">I have an account</AuthLink>}
    >
      {!sendsMail && (
        <Banner kind="plain">Email isn't set up on this server. Ask its administrator for your code.</Banner>
      )}
      <Form onSubmit={send}>
        <CodeField label="Code" hint="Eight digits." value={code} onChange={setCode} />
        <SubmitButton wide disabled={code.trim() === ""}>
          Join
        </SubmitButton>
      </Form>
      <div className="-mt-2">
        <Button kind="plain" onClick={() => wait(undefined)}>
          {sendsMail ? "No email? Check the address and try again" : "Check the address and try again"}
        </Button>
      </div>
      {sendsMail && (
        <p className="text-14 text-ink-2">
          If you have stopped mail from Walkies, no code arrives. The link at the end of an earlier mail allows it
          again.
        </p>
      )}
    </AuthFrame>
  );
}
