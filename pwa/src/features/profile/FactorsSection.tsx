/** Owns the second factor: setting up an authenticator app, its recovery codes, and removing it again. */
import { KeySquare, ShieldCheck, Smartphone, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { deviceText } from "../../browser/device";
import type { FactorAnswer, Factors, TotpKey } from "../../core";
import type { Result } from "../../data";
import { beginTotp, confirmTotp, listFactors, removeFactor, renewRecoveryCodes } from "../../data/account/security";
import type { Answer } from "../../data/server/api";
import { Listed } from "../../parts/account/Listed";
import { Section } from "../../parts/account/Section";
import { RelativeTime } from "../../parts/RelativeTime";
import { Button, Dialog, DialogActions, Form, SubmitButton, TextField, toast } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";
import { useFocusAfterRemoval } from "./useFocusAfterRemoval";

const HEADING = "profile-factors";

export function FactorsSection() {
  return (
    <Section id={HEADING} title="Two-step sign-in">
      <Listed list={listFactors} purpose="change how you sign in">
        {(listed, reload) => <Configured listed={listed} reload={reload} />}
      </Listed>
    </Section>
  );
}

type Open = { what: "add" } | { what: "renew" } | { what: "remove"; factor: FactorAnswer };

interface ConfiguredProps {
  listed: Factors;
  reload: () => Promise<void>;
}

function Configured({ listed: { factors, recovery_codes_left }, reload }: ConfiguredProps) {
  const [open, setOpen] = useState<Open>();
  const isOn = useRef(false);
  const rowGoes = useFocusAfterRemoval(HEADING, factors);
  const close = () => {
    setOpen(undefined);
    rowGoes();
    // Not before: it would lie over the last of the codes.
    if (isOn.current) toast.success("Two-step sign-in is on");
    isOn.current = false;
    void reload();
  };
  const turnedOn = () => {
    isOn.current = true;
  };
  return (
    <>
      {factors.length === 0 && (
        <p className="text-ink-2 text-pretty">
          With an authenticator app, your password alone isn't enough to sign in: a new phone also needs the code that
          the app shows.
        </p>
      )}
      {factors.map((it) => (
        <div key={it.id} className="flex min-h-14 items-center gap-3">
          <ShieldCheck aria-hidden className="size-5 shrink-0 text-completed" />
          <div className="min-w-0 flex-1">
            <p className="font-medium wrap-anywhere">{it.name}</p>
            <p className="text-14 text-ink-2">
              Last used <RelativeTime at={it.last_used_at} inSentence />
            </p>
          </div>
          <Button
            kind="plain"
            icon={<Trash2 aria-hidden className="size-5" />}
            aria-label={`Remove ${it.name}`}
            onClick={() => setOpen({ what: "remove", factor: it })}
          >
            Remove
          </Button>
        </div>
      ))}
      <div className="grid gap-2">
        <Button
          kind="quiet"
          icon={<Smartphone aria-hidden className="size-5" />}
          onClick={() => setOpen({ what: "add" })}
        >
          {factors.length === 0 ? "Set up an authenticator app" : "Add another authenticator app"}
        </Button>
        {factors.length > 0 && (
          <Button
            kind="quiet"
            icon={<KeySquare aria-hidden className="size-5" />}
            onClick={() => setOpen({ what: "renew" })}
          >
            New recovery codes
          </Button>
        )}
      </div>
      {factors.length > 0 && (
        <p className="text-14 text-ink-2">
          {recovery_codes_left === 1 ? "1 recovery code is left." : `${recovery_codes_left} recovery codes are left.`}
        </p>
      )}
      <Dialog open={open?.what === "add"} onClose={close} title="Authenticator app" size="small" dismissible={false}>
        <SetUp onTurnedOn={turnedOn} onDone={close} />
      </Dialog>
      <Dialog open={open?.what === "renew"} onClose={close} title="New recovery codes" size="small" dismissible={false}>
        <Renew onDone={close} />
      </Dialog>
      <Dialog
        open={open?.what === "remove"}
        onClose={close}
        title="Remove authenticator app"
        size="small"
        dismissible={false}
      >
        {open?.what === "remove" && <Remove factor={open.factor} onDone={close} />}
      </Dialog>
    </>
  );
}

/** First the password, then the key and a code of it, then the recovery codes. */
function SetUp({ onTurnedOn, onDone }: { onTurnedOn: () => void; onDone: () => void }) {
  const [key, setKey] = useState<TotpKey>();
  const [codes, setCodes] = useState<string[]>();
  const [code, setCode] = useState("");
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (!key) {
    const begin = async (password: string) => {
      const answer = await beginTotp(password);
      if (answer.ok) setKey(answer.value);
      return problem(answer);
    };
    return (
      <PasswordForm action="Continue" onSubmit={begin} onCancel={onDone}>
        <p className="text-ink-2">You need an app that shows codes, as Google Authenticator, Aegis or 1Password.</p>
      </PasswordForm>
    );
  }
  const confirm = async () => {
    const answer = await confirmTotp(key.id, code);
    if (answer.ok) {
      onTurnedOn();
      if (answer.value.recovery_codes.length > 0) setCodes(answer.value.recovery_codes);
      else onDone();
    }
    return problem(answer);
  };
  return (
    <Form onSubmit={confirm}>
      <p className="text-ink-2">Scan this with the app, then type the code that it shows.</p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(key.qr_svg)}`}
        alt="QR code of the key"
        className="mx-auto size-52 rounded-small"
      />
      <p className="text-center text-14">
        <a href={key.uri} className="inline-flex min-h-12 items-center font-bold underline underline-offset-4">
          {deviceText("The app is on this phone")}
        </a>
      </p>
      <p className="text-14 text-ink-2">
        Or type this key into it:{" "}
        <span className="num font-medium break-all text-ink select-all">{grouped(key.secret)}</span>
      </p>
      <TextField
        reader="none"
        name="code"
        label="Code"
        hint="Six digits."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton disabled={code.trim() === ""}>Turn on</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Easier to read and to type; apps take it with or without the spaces. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, "$1 ");

function Renew({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  const renew = async (password: string) => {
    const answer = await renewRecoveryCodes(password);
    if (answer.ok) setCodes(answer.value.recovery_codes);
    return problem(answer);
  };
  return (
    <PasswordForm action="Make new codes" onSubmit={renew} onCancel={onDone}>
      <p className="text-ink-2">The codes that you have now stop working.</p>
    </PasswordForm>
  );
}

function Remove({ factor, onDone }: { factor: FactorAnswer; onDone: () => void }) {
  const remove = async (password: string) => {
    const answer = await removeFactor(factor.id, password);
    if (answer.ok) {
      toast.success(`${factor.name} is removed`);
      onDone();
    }
    return problem(answer);
  };
  return (
    <PasswordForm action="Remove" danger onSubmit={remove} onCancel={onDone}>
      <p className="text-ink-2">
        Its codes stop working. Without an authenticator app, your password alone signs you in.
      </p>
    </PasswordForm>
  );
}

/** They are shown once: leaving takes a word that they are written down. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const what = useRef<HTMLParagraphElement>(null);
  // The button that was pressed has gone with the step before.
  useEffect(() => what.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join("\n"));
      toast.success("Copied");
    } catch {
      toast.error("This browser does not let Walkies copy. Write them down instead.");
    }
  };
  return (
    <div className="grid gap-4">
      <p ref={what} tabIndex={-1} className="text-ink-2 outline-none">
        Keep these where you find them without your phone. Each lets you in once when the app is lost. They are not
        shown again.
      </p>
      <ul className="num grid grid-cols-2 gap-x-4 gap-y-1 rounded-small bg-tag-soft p-4 font-medium text-tag-ink select-all">
        {codes.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
      <DialogActions>
        <Button kind="quiet" onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </DialogActions>
    </div>
  );
}

interface PasswordFormProps {
  action: string;
  danger?: boolean;
  onSubmit: (password: string) => Promise<ReturnType<typeof problem>>;
  onCancel: () => void;
  children: ReactNode;
}

function PasswordForm({ action, danger = false, onSubmit, onCancel, children }: PasswordFormProps) {
  const [password, setPassword] = useState("");
  return (
    <Form onSubmit={() => onSubmit(password)}>
      {children}
      <OwnPasswordField autoFocus value={password} onChange={setPassword} />
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton kind={danger ? "danger" : "primary"} disabled={password === ""}>
          {action}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

function problem(answer: Answer<unknown>): Extract<Result, { ok: false }>["error"] | undefined {
  if (answer.ok) return undefined;
  return { text: answer.error.text, fields: answer.error.kind === "rejected" ? answer.error.fields : [] };
}
