/** Owns how the business bills: numbers, its identity, due days, taxes, where clients pay, tips and reminders. */
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { fieldReader, type Invoicing, type Issuer, limits, type PayTo, type Sitter, type Tax } from "../../core";
import { save, useDraft, useRead, useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import {
  Button,
  Checkbox,
  FieldGroup,
  Form,
  type FormProblem,
  NumberField,
  Segmented,
  Select,
  Skeleton,
  SubmitButton,
  Switch,
  TextArea,
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
/** Numbers are filled up with zeros to so many digits. */
const DIGITS = [
  { value: 0, label: "As they come: 12" },
  { value: 3, label: "Three: 012" },
  { value: 4, label: "Four: 0012" },
  { value: 6, label: "Six: 000012" },
];
const NEW_TAX: Tax = { name: "Sales tax", rate: 0, included: false };

interface InvoicingDraft {
  /** Fields that were typed and not saved. */
  changes: Partial<Invoicing>;
  /** The rates from before tax was switched off in this form. */
  ratesBefore?: Rates;
}

type Rates = Required<Pick<Invoicing, "tax" | "more_taxes">>;

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
  const switchTax = (on: boolean) => {
    const { changes, ratesBefore = { tax: NEW_TAX, more_taxes: [] } } = draft.value;
    if (on) return draft.set({ changes: { ...changes, ...ratesBefore } });
    const { tax = null, more_taxes = [] } = invoicing;
    draft.set({ changes: { ...changes, tax: null, more_taxes: [] }, ratesBefore: { tax, more_taxes } });
  };

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
          hint="Shown on new invoices."
          reader="sitter.invoicing"
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
      <div className="flex flex-wrap items-start gap-4 *:min-w-0 *:flex-[1_1_9rem]">
        <Select
          name="invoicing.number_digits"
          label="Digits of the number"
          value={invoicing.number_digits ?? 0}
          onChange={(number_digits) => change({ number_digits })}
          options={DIGITS}
        />
        <Switch
          name="invoicing.number_year"
          label="Year in the number"
          hint="Numbers go on in the new year, and invoices that are out keep theirs."
          checked={invoicing.number_year ?? false}
          onChange={(number_year) => change({ number_year })}
        />
      </div>
      <IssuerFields issuer={invoicing.issuer ?? {}} onChange={(issuer) => change({ issuer })} />
      <TextField
        name="invoicing.contact_email"
        label="Email on invoices"
        optional
        type="email"
        autoComplete="off"
        hint={
          !invoicing.contact_email &&
          "Without one, invoices show only your phone number. Your sign-in email is never used for this."
        }
        reader="sitter.invoicing"
        value={invoicing.contact_email ?? ""}
        onChange={(contact_email) => change({ contact_email })}
      />
      <PayToFields payTo={invoicing.pay_to} onChange={(pay_to) => change({ pay_to })} />
      <TextArea
        name="invoicing.terms"
        label="Payment terms"
        optional
        rows={2}
        placeholder="Please pay within 14 days."
        reader="sitter.invoicing"
        value={invoicing.terms ?? ""}
        onChange={(terms) => change({ terms })}
      />
      <TaxFields tax={invoicing.tax ?? null} more={invoicing.more_taxes ?? []} onChange={change} onSwitch={switchTax} />
      <TipFields invoicing={invoicing} onChange={change} />
      <MailSwitch isOn={!invoicing.keeps_mail_off} onChange={(on) => change({ keeps_mail_off: !on })} />
      <BillDay invoicing={invoicing} onChange={change} />
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
      reader="group"
      value={payTo?.[name] ?? ""}
      onChange={(text) => onChange({ ...payTo, [name]: text })}
    />
  );
  return (
    <FieldGroup
      name="invoicing.pay_to"
      label="Where clients pay you"
      hint={
        <ReaderHint reader={fieldReader("sitter.invoicing")}>Each one you fill in appears on the invoice.</ReaderHint>
      }
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        {field("venmo", "Venmo", "@maras-walks")}
        {field("paypal", "PayPal.Me", "maraswalks")}
        {field("cash_app", "Cash App", "$maraswalks")}
        {field("zelle", "Zelle", "Email or phone")}
        {field("account_holder", "Bank account of", "Mara Lind")}
        {field("iban", "IBAN", "DE89 3704 0044 0532 0130 00")}
        {field("bic", "BIC", "COBADEFFXXX")}
        {field("routing_number", "Routing number", "9 digits")}
        {field("account_number", "Account number", "")}
      </div>
    </FieldGroup>
  );
}

interface IssuerFieldsProps {
  issuer: Issuer;
  onChange: (issuer: Issuer) => void;
}

/** Identity of the business on invoices. */
function IssuerFields({ issuer, onChange }: IssuerFieldsProps) {
  return (
    <FieldGroup
      name="invoicing.issuer"
      label="Your business on invoices"
      hint={<ReaderHint reader={fieldReader("sitter.invoicing")}>Empty fields are left out.</ReaderHint>}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextArea
          name="invoicing.issuer.postal_address"
          label="Postal address"
          optional
          rows={3}
          reader="group"
          value={issuer.postal_address ?? ""}
          onChange={(postal_address) => onChange({ ...issuer, postal_address })}
          className="md:col-span-2"
        />
        <TextField
          name="invoicing.issuer.tax_id"
          label="Tax or VAT number"
          optional
          autoComplete="off"
          reader="group"
          value={issuer.tax_id ?? ""}
          onChange={(tax_id) => onChange({ ...issuer, tax_id })}
        />
        <TextField
          name="invoicing.issuer.registration_number"
          label="Registration number"
          optional
          autoComplete="off"
          reader="group"
          value={issuer.registration_number ?? ""}
          onChange={(registration_number) => onChange({ ...issuer, registration_number })}
        />
      </div>
    </FieldGroup>
  );
}

interface TaxFieldsProps {
  /** The rate of lines that name no other. */
  tax: Tax | null;
  more: readonly Tax[];
  onChange: (changes: Partial<Invoicing>) => void;
  onSwitch: (on: boolean) => void;
}

function TaxFields({ tax, more, onChange, onSwitch }: TaxFieldsProps) {
  const included = tax?.included ?? more[0]?.included ?? false;
  const setIncluded = (included: boolean) => {
    const all = more.map((it) => ({ ...it, included }));
    onChange({ more_taxes: all, tax: tax && { ...tax, included } });
  };
  const makeDefault = (place: number) => {
    const chosen = more[place];
    if (!chosen) return;
    const others = more.filter((_, it) => it !== place);
    onChange({ tax: chosen, more_taxes: tax ? [tax, ...others] : others });
  };
  const has = tax !== null || more.length > 0;
  const offerings = useReplica((phone) => phone.offerings());
  const without = tax ? "the default rate applies" : "no tax applies";
  const usesOf = (rate: Tax) => {
    const n = offerings.filter((it) => it.tax_name === rate.name).length;
    if (n === 0) return undefined;
    return `${n === 1 ? "1 service has" : `${n} services have`} this rate. Without it, ${without}.`;
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch name="has_tax" label="Tax on invoices" checked={has} onChange={onSwitch} />
      {tax && <TaxFieldPair name="invoicing.tax" tax={tax} onChange={(it) => onChange({ tax: it })} />}
      {more.map((it, place) => (
        <FieldGroup
          // Each place is a field of its own.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          name={`invoicing.more_taxes.${place}`}
          label={`Rate ${place + (tax ? 2 : 1)}`}
        >
          <TaxFieldPair
            name={`invoicing.more_taxes.${place}`}
            tax={it}
            onChange={(changed) => onChange({ more_taxes: more.with(place, changed) })}
          />
          {usesOf(it) && <p className="text-14 text-ink-2 text-pretty">{usesOf(it)}</p>}
          <div className="flex flex-wrap gap-2">
            <Button kind="quiet" onClick={() => makeDefault(place)}>
              Make it the default
            </Button>
            <Button kind="quiet" onClick={() => onChange({ more_taxes: more.filter((_, other) => other !== place) })}>
              Remove
            </Button>
          </div>
        </FieldGroup>
      ))}
      {has && (
        <>
          {more.length < limits().more_taxes && (
            <div className="grid grid-cols-1 justify-items-start gap-1">
              <Button
                kind="quiet"
                icon={<Plus aria-hidden className="size-5" />}
                onClick={() => onChange({ more_taxes: [...more, { name: "", rate: 0, included }] })}
              >
                Add another rate
              </Button>
              <p className="text-14 text-ink-2 text-pretty">
                {tax
                  ? "Lines have the default rate, unless an invoice gives one another rate or none."
                  : "Lines have no tax, unless an invoice gives one a rate."}
              </p>
            </div>
          )}
          <Segmented
            label="Tax and prices"
            value={included ? "included" : "added"}
            onChange={(how) => setIncluded(how === "included")}
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

/** Name and rate of one tax. */
function TaxFieldPair({ name, tax, onChange }: { name: string; tax: Tax; onChange: (tax: Tax) => void }) {
  return (
    <div className="flex flex-wrap items-start gap-4 *:min-w-0 *:flex-[1_1_9rem]">
      <TextField
        name={`${name}.name`}
        label="Called"
        autoComplete="off"
        reader="sitter.invoicing"
        value={tax.name}
        onChange={(it) => onChange({ ...tax, name: it })}
      />
      <NumberField
        name={`${name}.rate`}
        label="Rate"
        unit="%"
        value={percentOf(tax)}
        onChange={(percent) => onChange({ ...tax, ...rateOf(percent) })}
      />
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
            reader="sitter.invoicing"
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

/** A day that was emptied is asked for when the form is saved. */
function BillDay({ invoicing: { bill_day, bill_waits = false }, onChange }: TipFieldsProps) {
  const isOn = bill_day !== undefined;
  const now = useMinute();
  const next = useRead((phone) => (isOn ? phone.nextBillDay(bill_day, now) : ""), bill_day, now);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch
        name="has_bill_day"
        label="Bill each month by itself"
        hint="Bills all clients for a month's completed services on a day of the next month, like Bill all."
        checked={isOn}
        onChange={(on) => onChange({ bill_day: on ? 1 : undefined, bill_waits: false })}
      />
      {isOn && (
        <>
          <NumberField
            name="invoicing.bill_day"
            label="Day of the month"
            integer
            hint="From 1 to 28, during the day."
            value={bill_day === 0 ? null : bill_day}
            onChange={(day) => onChange({ bill_day: day ?? 0 })}
          />
          {next && <p className="text-14 text-ink-2 text-pretty">{next}</p>}
          <Segmented
            label="On that day"
            value={bill_waits ? "wait" : "share"}
            onChange={(how) => onChange({ bill_waits: how === "wait" })}
            options={[
              { value: "share", label: "Share the invoices" },
              { value: "wait", label: "Tell me to look first" },
            ]}
          />
          <p className="text-14 text-ink-2 text-pretty">
            {bill_waits
              ? "Nothing is shared until you do so under Bill all. A notification reminds you."
              : "Invoices are shared without asking you again. Links that you have to pass on are under To send. A notification and Bill all say what was shared and who needs a look."}
          </p>
        </>
      )}
    </div>
  );
}

function Reminders({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  const unmailed = useReplica((phone) => phone.unmailedReminders());
  const offered = [...new Set([...REMINDERS, ...days])].toSorted((a, b) => a - b);
  return (
    <FieldGroup
      name="invoicing.reminder_days"
      label="Remind clients of unpaid invoices"
      hint={`Counted from the due date. Invoices without a due date send no reminders. ${unmailed}`.trim()}
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
