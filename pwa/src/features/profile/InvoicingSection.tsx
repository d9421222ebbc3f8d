/** Owns how the business bills: numbers, due days, tax, where clients pay, tips and reminders. */
import { useState } from "react";
import type { Invoicing, PayTo, Sitter, Tax } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import {
  Button,
  Checkbox,
  FieldGroup,
  Form,
  type FormProblem,
  NumberField,
  Segmented,
  Skeleton,
  SubmitButton,
  Switch,
  TextField,
  toast,
} from "../../ui";
import { ReaderHint } from "../../ui/Readers";
import { Restored } from "../../ui/Restored";

const KEY = "invoicing";

/** Percentages that most businesses offer. */
const TIPS = [10, 15, 20];
/** Days after the due date on which most remind. */
const REMINDERS = [0, 3, 7, 14, 30];
const NEW_TAX: Tax = { name: "Sales tax", rate: 0, included: false };

interface InvoicingDraft {
  /** Fields that were typed and not saved. */
  changes: Partial<Invoicing>;
}

export function InvoicingSection({ sitter }: { sitter: Sitter }) {
  // A form that was saved is another form: it begins with what is stored then.
  const [saved, setSaved] = useState(0);
  return (
    <Section id="profile-invoicing" title="Invoices and payments">
      <Fields key={saved} sitter={sitter} onSaved={() => setSaved(saved + 1)} />
    </Section>
  );
}

function Fields({ sitter, onSaved }: { sitter: Sitter; onSaved: () => void }) {
  const draft = useDraft<InvoicingDraft>(KEY, { changes: {} });
  const invoicing: Invoicing = { ...sitter.invoicing, ...draft.value.changes };
  const change = (changes: Partial<Invoicing>) => draft.set({ changes: { ...draft.value.changes, ...changes } });

  const send = async (): Promise<FormProblem | undefined> => {
    const tips = invoicing.tips?.filter((it) => it !== 0) ?? [];
    const changes = { invoicing: { ...invoicing, tips } };
    const result = await save({ name: "update_profile", args: { changes } }, "Change how invoices are made", {
      draft: KEY,
      base_rev: draft.base_rev,
    });
    if (!result.ok) return result;
    draft.clear();
    toast.success("Settings saved");
    onSaved();
    return undefined;
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form onSubmit={send} failed="Failed to save settings">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <div className="flex flex-wrap items-start gap-4 *:min-w-0 *:flex-[1_1_9rem]">
        <TextField
          name="invoicing.prefix"
          label="Numbers begin with"
          optional
          autoComplete="off"
          hint={`Your clients see it on the invoice: ${invoicing.prefix ?? ""}1.`}
          value={invoicing.prefix ?? ""}
          onChange={(prefix) => change({ prefix })}
        />
        <NumberField
          name="invoicing.due_days"
          label="Due after"
          optional
          integer
          unit="days"
          value={invoicing.due_days ?? null}
          onChange={(due_days) => change({ due_days })}
        />
      </div>
      <TextField
        name="invoicing.contact_email"
        label="Email on invoices"
        optional
        type="email"
        autoComplete="off"
        hint={
          invoicing.contact_email ? (
            <ReaderHint reader="links" />
          ) : (
            "Without one, invoices show only your phone number. Your sign-in email is never used for this."
          )
        }
        value={invoicing.contact_email ?? ""}
        onChange={(contact_email) => change({ contact_email })}
      />
      <PayToFields payTo={invoicing.pay_to} onChange={(pay_to) => change({ pay_to })} />
      <TaxFields tax={invoicing.tax ?? null} onChange={(tax) => change({ tax })} />
      <TipFields invoicing={invoicing} onChange={change} />
      <MailSwitch isOn={!invoicing.keeps_mail_off} onChange={(on) => change({ keeps_mail_off: !on })} />
      <Reminders days={invoicing.reminder_days ?? []} onChange={(reminder_days) => change({ reminder_days })} />
      <div className="flex flex-wrap justify-end gap-2">
        {draft.dirty && (
          <Button kind="quiet" onClick={draft.clear}>
            Undo changes
          </Button>
        )}
        <SubmitButton disabled={!draft.dirty}>Save settings</SubmitButton>
      </div>
    </Form>
  );
}

function PayToFields({ payTo, onChange }: { payTo: PayTo | undefined; onChange: (payTo: PayTo) => void }) {
  const field = (name: keyof PayTo, label: string, placeholder: string) => (
    <TextField
      name={`invoicing.pay_to.${name}`}
      label={label}
      optional
      autoComplete="off"
      autoCapitalize="none"
      placeholder={placeholder}
      value={payTo?.[name] ?? ""}
      onChange={(text) => onChange({ ...payTo, [name]: text })}
    />
  );
  return (
    <FieldGroup
      name="invoicing.pay_to"
      label="Where clients pay you"
      hint={<ReaderHint reader="links">Each one you fill in stands on the invoice.</ReaderHint>}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        {field("venmo", "Venmo", "@maras-walks")}
        {field("paypal", "PayPal.Me", "maraswalks")}
        {field("cash_app", "Cash App", "$maraswalks")}
        {field("zelle", "Zelle", "Email or phone")}
      </div>
    </FieldGroup>
  );
}

function TaxFields({ tax, onChange }: { tax: Tax | null; onChange: (tax: Tax | null) => void }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch
        name="has_tax"
        label="Tax on invoices"
        checked={tax !== null}
        onChange={(has) => onChange(has ? NEW_TAX : null)}
      />
      {tax && (
        <>
          <div className="flex flex-wrap items-start gap-4 *:min-w-0 *:flex-[1_1_9rem]">
            <TextField
              name="invoicing.tax.name"
              label="Called"
              autoComplete="off"
              hint={<ReaderHint reader="links" />}
              value={tax.name}
              onChange={(name) => onChange({ ...tax, name })}
            />
            <NumberField
              name="invoicing.tax.rate"
              label="Rate"
              unit="%"
              value={percentOf(tax)}
              onChange={(percent) => onChange({ ...tax, ...rateOf(percent) })}
            />
          </div>
          <Segmented
            label="Tax and prices"
            value={tax.included ? "included" : "added"}
            onChange={(how) => onChange({ ...tax, included: how === "included" })}
            options={[
              { value: "added", label: "Added to prices" },
              { value: "included", label: "Included in prices" },
            ]}
          />
        </>
      )}
    </div>
  );
}

/** Kept in hundredths of a percent, and thousandths beside them. */
function percentOf({ rate, rate_thousandths = 0 }: Tax): number | null {
  const thousandths = rate * 10 + rate_thousandths;
  return thousandths === 0 ? null : thousandths / 1000;
}

function rateOf(percent: number | null): Pick<Tax, "rate" | "rate_thousandths"> {
  const thousandths = Math.round((percent ?? 0) * 1000);
  return { rate: Math.floor(thousandths / 10), rate_thousandths: thousandths % 10 };
}

interface TipFieldsProps {
  invoicing: Invoicing;
  onChange: (changes: Partial<Invoicing>) => void;
}

/** A tip of 0 is one that was emptied; it is not saved. */
function TipFields({ invoicing, onChange }: TipFieldsProps) {
  const tips = invoicing.tips ?? [];
  const places = TIPS.map((_, place) => tips[place] ?? 0);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch
        name="has_tips"
        label="Offer tips"
        hint="As buttons on the invoice's page."
        checked={tips.length > 0}
        onChange={(has) => onChange({ tips: has ? TIPS : [] })}
      />
      {tips.length > 0 && (
        <>
          <FieldGroup name="invoicing.tips" label="Tips to choose from">
            <div className="flex flex-wrap gap-2 *:min-w-0 *:flex-[1_1_5rem]">
              {places.map((percent, place) => (
                <NumberField
                  // Each place is a field of its own.
                  // oxlint-disable-next-line react/no-array-index-key
                  key={place}
                  name={`tip-${place}`}
                  label={`Tip ${place + 1}`}
                  hideLabel
                  integer
                  unit="%"
                  value={percent === 0 ? null : percent}
                  onChange={(it) => onChange({ tips: places.with(place, it ?? 0) })}
                />
              ))}
            </div>
          </FieldGroup>
          <TextField
            name="invoicing.tip_nudge"
            label="Words above the tips"
            optional
            autoComplete="off"
            placeholder="Rex says thank you!"
            hint={<ReaderHint reader="links" />}
            value={invoicing.tip_nudge ?? ""}
            onChange={(tip_nudge) => onChange({ tip_nudge })}
          />
        </>
      )}
    </div>
  );
}

function MailSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const unmailed = useReplica((phone) => phone.unmailedReminders());
  // A server that sends no mail has nothing to be switched off.
  if (unmailed) return null;
  return (
    <Switch
      name="invoicing.keeps_mail_off"
      label="Mail invoices to clients"
      hint="When you share an invoice, a client with an email and without notifications gets it as a PDF. Answers go to the email on your invoices."
      checked={isOn}
      onChange={onChange}
    />
  );
}

function Reminders({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const unmailed = useReplica((phone) => phone.unmailedReminders());
  const offered = [...new Set([...REMINDERS, ...days])].toSorted((a, b) => a - b);
  return (
    <FieldGroup
      name="invoicing.reminder_days"
      label="Remind clients of unpaid invoices"
      hint={`Counted from the due date. An invoice without one reminds nobody. ${unmailed}`.trim()}
    >
      <div className="flex flex-wrap gap-x-5">
        {offered.map((it) => (
          <Checkbox
            key={it}
            name={`reminder-${it}`}
            label={it === 0 ? "On the day" : `${it} days after`}
            checked={days.includes(it)}
            onChange={(on) => onChange(on ? [...days, it] : days.filter((day) => day !== it))}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
