/** Owns how a sitter takes cards: the own account at Stripe, what it costs, and the keys that lead there. */
import { Copy, CreditCard } from "lucide-react";
import { useState } from "react";
import type { CardPayments } from "../../core";
import { cardPayments, takeCards, takeNoCards } from "../../data/account/security";
import { Listed } from "../../parts/account/Listed";
import { Section } from "../../parts/account/Section";
import { copyLink } from "../../parts/sharing/sendLink";
import { Banner, Button, confirm, Dialog, DialogActions, Form, SubmitButton, TextField, toast } from "../../ui";
import { OwnPasswordField } from "./OwnPasswordField";

export function CardsSection() {
  return (
    <Section id="profile-cards" title="Card payments">
      <Listed list={cardPayments} purpose="set up card payments">
        {(known, reload) => <Cards known={known} reload={reload} />}
      </Listed>
    </Section>
  );
}

interface CardsProps {
  known: CardPayments;
  reload: () => Promise<void>;
}

function Cards({ known, reload }: CardsProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    void reload();
  };
  const turnOff = async () => {
    const question = {
      title: "Take no more cards?",
      text: "Your invoices lose the button, and the server deletes the keys. Payments stay recorded.",
      action: "Turn off",
      danger: true,
    };
    if (!(await confirm(question))) return;
    const answer = await takeNoCards();
    if (answer.ok) toast.success("Card payments are off");
    else toast.error(answer.error.text);
    await reload();
  };
  return (
    <>
      {known.is_on ? (
        <div className="flex min-h-14 items-center gap-3">
          <CreditCard aria-hidden className="size-5 shrink-0 text-completed" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{known.is_live ? "On, with Stripe" : "On, in Stripe’s test mode"}</p>
            <p className="text-14 text-ink-2">
              Key ends in <span className="num">{known.key_ends_with}</span>
            </p>
          </div>
        </div>
      ) : (
        <p className="text-ink-2 text-pretty">
          Clients can pay an invoice by card on its page. The money goes to your own account at Stripe.
        </p>
      )}
      {known.fault && (
        <Banner kind="danger" role="status">
          {known.fault}. Nobody can pay by card until you replace the key.
        </Banner>
      )}
      <p className="text-14 text-ink-2 text-pretty">{known.fees}</p>
      <div className="grid gap-2">
        <Button kind="quiet" icon={<CreditCard aria-hidden className="size-5" />} onClick={() => setOpen(true)}>
          {known.is_on ? "Replace the keys" : "Take cards with Stripe"}
        </Button>
        {known.is_on && (
          <Button kind="plain" className="text-danger!" onClick={() => void turnOff()}>
            Turn off
          </Button>
        )}
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Take cards with Stripe"
        size="small"
        dismissible={false}
      >
        <Keys known={known} onDone={close} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface KeysProps {
  known: CardPayments;
  onDone: () => void;
  onCancel: () => void;
}

function Keys({ known, onDone, onCancel }: KeysProps) {
  const [key, setKey] = useState("");
  const [secret, setSecret] = useState("");
  const [password, setPassword] = useState("");
  const send = async () => {
    const answer = await takeCards(key.trim(), secret.trim(), password);
    if (!answer.ok) {
      return { text: answer.error.text, fields: answer.error.kind === "rejected" ? answer.error.fields : [] };
    }
    toast.success("Your invoices can be paid by card");
    onDone();
    return undefined;
  };
  return (
    <Form onSubmit={send}>
      <ol className="grid list-decimal gap-2 pl-5 text-ink-2">
        <li>In Stripe, under Developers, make a restricted key that may write Checkout Sessions.</li>
        <li>
          Add a webhook with the address below, and these events:{" "}
          <span className="text-14 wrap-anywhere">{known.webhook_events.join(", ")}</span>
        </li>
        <li>Copy the key and the webhook’s signing secret here.</li>
      </ol>
      <div className="grid gap-2 rounded-small bg-sunken p-3">
        <p className="num text-14 break-all select-all">{known.webhook_url}</p>
        <Button
          kind="quiet"
          icon={<Copy aria-hidden className="size-5" />}
          onClick={() => void copyLink(known.webhook_url)}
        >
          Copy address
        </Button>
      </div>
      <TextField
        reader="none"
        name="secret_key"
        label="Restricted or secret key"
        hint="It begins with rk_ or sk_."
        autoComplete="off"
        autoCapitalize="none"
        value={key}
        onChange={setKey}
      />
      <TextField
        reader="none"
        name="webhook_secrets"
        label="Signing secret"
        hint="It begins with whsec_."
        autoComplete="off"
        autoCapitalize="none"
        value={secret}
        onChange={setSecret}
      />
      <OwnPasswordField value={password} onChange={setPassword} />
      <DialogActions>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton disabled={key.trim() === "" || secret.trim() === "" || password === ""}>Turn on</SubmitButton>
      </DialogActions>
    </Form>
  );
}
