/** Owns the inline form of an offering, new or known, and the rule's answer where the pricing type is switched. */
import { useState } from "react";
import {
  type Command,
  durationAfterSwitch,
  limits,
  newId,
  newOffering,
  type Offering,
  type PricingType,
  type StayUnit,
} from "../../core";
import { save, useDraft, useRead } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import {
  Button,
  type FieldError,
  FieldGroup,
  Form,
  MoneyField,
  NumberField,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  TimeField,
} from "../../ui";
import { Restored } from "../../ui/Restored";

/** Unit that the base price pays for; `daily` alone is an offering from before stays had a unit. */
type PricedBy = PricingType | StayUnit;

const PRICED_BY_OPTIONS: readonly { value: PricedBy; label: string }[] = [
  { value: "fixed", label: "Fixed price" },
  { value: "hourly", label: "Per hour" },
  { value: "nights", label: "Per night" },
  { value: "days", label: "Per day" },
  { value: "duration", label: "By duration" },
];

const AS_BEFORE: { value: PricedBy; label: string } = { value: "daily", label: "Per day, counted as before" };

/** Explanation of the count of stays, for bookings made from now on. */
const COUNTED: Partial<Record<PricedBy, string>> = {
  nights: "Friday to Sunday is 2 nights. A flat charge for an extra pet counts for each night.",
  days: "Friday to Sunday is 3 days. A flat charge for an extra pet counts for each day.",
  daily: "Friday to Sunday is 3 days. A flat charge for an extra pet counts once for the whole stay.",
};

/** How stays are counted; absent for what is no stay. */
export const countedText = ({ stay_unit, pricing_type }: Offering): string | undefined =>
  COUNTED[stay_unit ?? pricing_type];

/** Fields of an offering by which services are priced. */
const PRICED_BY: readonly (keyof Offering)[] = ["base_price", "pricing_type", "duration_minutes"];

export type OfferingCommand = Extract<Command, { name: "create_offering" | "update_offering" }>;

interface OfferingFormState {
  /** The offering as the person saw it when the form was opened; `null` for a new one. */
  base: Offering | null;
  id: string;
  name: string;
  description: string;
  icon: string;
  base_price: number | null;
  pricing_type: PricingType;
  duration_minutes: number | null;
  stay_unit: StayUnit | null;
  further_day_after: string | null;
  /** Name of a tax rate; "" for no tax, null for the usual one. Drafts of before have none. */
  tax_name?: string | null;
  category: string;
}

interface OfferingFormProps {
  /** Absent for a new one. */
  offering: Offering | undefined;
  fix: Fix<OfferingCommand["name"]> | undefined;
  /** With the offering's id where it was saved. */
  onDone: (id?: string) => void;
  /** The offering is saved at another price than before. */
  onNewPrice?: () => void;
}

export function OfferingForm({ offering, fix, onDone, onNewPrice }: OfferingFormProps) {
  const key = fix ? `offering:fix:${fix.id}` : `offering:${offering?.id ?? "new"}`;
  const [first] = useState(() => begin(offering, fix?.command));
  const draft = useDraft<OfferingFormState>(key, first);
  const form = draft.value;
  const [errors, setErrors] = useState<FieldError[] | undefined>(
    fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined,
  );
  const [problem, setProblem] = useState<string>();

  const send = async () => {
    setProblem(undefined);
    try {
      const command = toCommand(form);
      const result = await save(command, form.base ? `Change ${form.base.name}` : `Add ${form.name.trim()}`, {
        draft: key,
        resolves: fix?.id,
        base_rev: fix?.base_rev ?? draft.base_rev,
      });
      if (result.ok) {
        onDone(form.id);
        if (command.name === "update_offering" && PRICED_BY.some((it) => it in command.args.changes)) onNewPrice?.();
      } else {
        setErrors(result.fields);
        if (result.fields.length === 0) setProblem(result.text);
      }
    } catch {
      setProblem("Failed to save service");
    }
  };
  const cancel = () => {
    draft.clear();
    onDone();
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full rounded-large" />;
  return (
    <Form
      errors={errors}
      error={problem}
      onSubmit={send}
      aria-label={form.base ? `Edit ${form.base.name}` : "New service"}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !draft.dirty) cancel();
      }}
      className="@container animate-appear rounded-large border border-act bg-card p-4 shadow-[0_0_0_1px_var(--color-act)]"
    >
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <IconPicker icon={form.icon} onPick={(icon) => draft.set({ icon })} />
      <Fields form={form} onChange={draft.set} />
      <div className="flex flex-wrap gap-2 *:flex-1 md:justify-end md:*:flex-none">
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : "Save Service"}</SubmitButton>
      </div>
    </Form>
  );
}

interface IconPickerProps {
  icon: string;
  onPick: (icon: string) => void;
}

function IconPicker({ icon: picked, onPick }: IconPickerProps) {
  return (
    <FieldGroup name="icon" label="Icon">
      <div className="flex flex-wrap gap-1">
        {limits().offering_icons.map((icon) => (
          <label
            key={icon}
            className="grid size-12 cursor-pointer place-items-center rounded-large border border-transparent text-28 transition-colors hover:bg-sunken has-checked:border-act has-checked:bg-sunken has-checked:shadow-[inset_0_0_0_1px_var(--color-act)] has-focus-visible:outline-3 has-focus-visible:outline-scheduled"
          >
            <input
              type="radio"
              name="icon-choice"
              value={icon}
              aria-label={ICON_NAMES[icon] ?? icon}
              checked={picked === icon}
              onChange={() => onPick(icon)}
              className="sr-only"
            />
            <span aria-hidden className="leading-none">
              {icon}
            </span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface FieldsProps {
  form: OfferingFormState;
  onChange: (change: Partial<OfferingFormState>) => void;
}

function Fields({ form, onChange }: FieldsProps) {
  const pricedBy: PricedBy = form.stay_unit ?? form.pricing_type;
  const isOfBefore = pricedBy === "daily" || (form.base?.pricing_type === "daily" && !form.base.stay_unit);
  return (
    <div className="grid gap-4 @lg:grid-cols-2">
      <TextField
        name="name"
        label="Service name"
        autoFocus
        value={form.name}
        onChange={(name) => onChange({ name })}
        autoComplete="off"
        reader="offering.name"
      />
      <Select
        name="category"
        label="Category"
        value={form.category}
        onChange={(category) => onChange({ category })}
        options={limits().offering_categories.map((value) => ({ value, label: value }))}
      />
      <TextField
        name="description"
        label="Description"
        optional
        value={form.description}
        onChange={(description) => onChange({ description })}
        autoComplete="off"
        reader="offering.description"
        className="@lg:col-span-2"
      />
      <Select
        name="pricing_type"
        label="Pricing type"
        value={pricedBy}
        onChange={(it) => {
          const stay_unit = it === "nights" || it === "days" ? it : null;
          const pricing_type = it === "nights" || it === "days" ? "daily" : it;
          onChange({
            pricing_type,
            duration_minutes: durationAfterSwitch(pricing_type) ?? null,
            stay_unit,
            further_day_after: it === "days" ? form.further_day_after : null,
          });
        }}
        options={isOfBefore ? [...PRICED_BY_OPTIONS, AS_BEFORE] : PRICED_BY_OPTIONS}
        hint={COUNTED[pricedBy]}
      />
      <div className="grid pair items-start gap-4">
        <MoneyField
          name="base_price"
          label="Base price"
          value={form.base_price}
          onChange={(base_price) => onChange({ base_price })}
        />
        {form.pricing_type === "duration" && (
          <NumberField
            name="duration_minutes"
            label="Duration"
            integer
            unit="min"
            value={form.duration_minutes}
            onChange={(duration_minutes) => onChange({ duration_minutes })}
          />
        )}
        {pricedBy === "days" && (
          <TimeField
            name="further_day_after"
            label="Last day counts after"
            optional
            value={form.further_day_after ?? ""}
            onChange={(it) => onChange({ further_day_after: it || null })}
            hint="A departure by this time is no further day. Without a time the last day always counts."
          />
        )}
      </div>
      <TaxField value={form.tax_name ?? null} onChange={(tax_name) => onChange({ tax_name })} />
    </div>
  );
}

/** Stands for the rate that lines have which name none. */
const USUAL = "\n";

interface TaxFieldProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** The tax of invoice lines about it; nothing where the business has no rates and the service names none. */
function TaxField({ value, onChange }: TaxFieldProps) {
  const rates = useRead((phone) => phone.taxRates());
  const isGone = Boolean(value) && !rates.some((it) => it.name === value);
  if (rates.length === 0 && !isGone) return null;
  const usual = rates.find((it) => it.is_default)?.label ?? "No tax";
  return (
    <Select
      name="tax_name"
      label="Tax on invoices"
      value={value ?? USUAL}
      onChange={(it) => onChange(it === USUAL ? null : it)}
      options={[
        { value: USUAL, label: `As usual: ${usual}` },
        ...rates.map((it) => ({ value: it.name, label: it.label })),
        ...(isGone && value ? [{ value, label: `${value}, no longer one of your rates` }] : []),
      ]}
      hint="For new invoices. An invoice can give each of its lines another one."
    />
  );
}

/** For those who hear the choice and do not see it. */
const ICON_NAMES: Record<string, string> = {
  "🐕": "Dog",
  "🐾": "Paws",
  "🦴": "Bone",
  "🐈": "Cat",
  "🏠": "House",
  "🌙": "Moon",
  "🚗": "Car",
  "🛁": "Bath",
  "🎓": "Training cap",
  "💊": "Medicine",
};

function begin(known: Offering | undefined, command: OfferingCommand | undefined): OfferingFormState {
  const isNew = command ? command.name === "create_offering" : !known;
  const id = command?.args.id ?? known?.id ?? newId();
  const asked = command && (command.name === "create_offering" ? command.args.offering : command.args.changes);
  const row = { ...(known ?? newOffering(id)), ...asked };
  return {
    base: isNew ? null : (known ?? null),
    id,
    name: row.name,
    description: row.description ?? "",
    icon: row.icon,
    base_price: row.base_price,
    pricing_type: row.pricing_type,
    duration_minutes: row.duration_minutes ?? null,
    stay_unit: row.stay_unit ?? null,
    further_day_after: row.further_day_after ?? null,
    tax_name: row.tax_name ?? null,
    category: row.category,
  };
}

function toCommand({ base, id, ...fields }: OfferingFormState): Command {
  const before = base ?? newOffering(id);
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const touched = names.filter((it) => fields[it] !== (before[it] ?? (it === "description" ? "" : null)));
  const changes = Object.fromEntries(touched.map((it) => [it, fields[it]])) as Partial<Offering>;
  return base
    ? { name: "update_offering", args: { id, changes } }
    : { name: "create_offering", args: { id, offering: changes } };
}
