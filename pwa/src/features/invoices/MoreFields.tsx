/** Owns what few invoices need: a due date of its own, a note, extra lines, discounts and tax rates of lines. */
import { Minus, Plus, Trash2 } from "lucide-react";
import { type BillableService, newId, type RateOption } from "../../core";
import { Button, DateField, IconButton, MoneyField, TextArea, TextField } from "../../ui";
import type { ExtraLine, InvoiceForm } from "./form";
import { ServiceTaxes, TaxSelect } from "./TaxChoices";

interface MoreFieldsProps {
  form: InvoiceForm;
  /** When it is due if nobody says so; "" for no day. */
  dueDate: string;
  today: string;
  /** The tax rates that a line can have; none where the business has no tax. */
  rates: readonly RateOption[];
  /** Services that the invoice bills. */
  services: readonly BillableService[];
  onChange: (change: Partial<InvoiceForm>) => void;
}

export function MoreFields({ form, dueDate, today, rates, services, onChange }: MoreFieldsProps) {
  const { extras } = form;
  const add = (isDiscount: boolean) =>
    onChange({ extras: [...extras, { key: newId(), label: isDiscount ? "Discount" : "", amount: null, isDiscount }] });
  const change = (key: string, change: Partial<ExtraLine>) =>
    onChange({ extras: extras.map((it) => (it.key === key ? { ...it, ...change } : it)) });
  return (
    <div className="grid grid-cols-1 gap-4">
      <DateField
        name="due_date"
        label="Due date"
        optional
        min={today}
        value={form.due_date || dueDate}
        onChange={(due_date) => onChange({ due_date })}
      />
      <TextArea
        name="note"
        label="Note to the client"
        optional
        reader="invoice.note"
        value={form.note}
        onChange={(note) => onChange({ note })}
      />
      {extras.map((it, place) => (
        <div key={it.key} className="flex flex-wrap items-start gap-2">
          <TextField
            name={`extras.${place}.label`}
            label={it.isDiscount ? "Discount for" : "Extra line"}
            autoComplete="off"
            reader="invoice.extra"
            value={it.label}
            onChange={(label) => change(it.key, { label })}
            className="min-w-0 flex-[2_1_8rem]"
          />
          <div className="flex min-w-0 flex-[1_1_9rem] items-start gap-2">
            <MoneyField
              name={`extras.${place}.amount`}
              label={it.isDiscount ? "Taken off" : "Amount"}
              value={it.amount}
              onChange={(amount) => change(it.key, { amount })}
              className="min-w-0 flex-1"
            />
            <IconButton
              label={`Remove ${it.label || "this line"}`}
              className="mt-6 text-danger"
              onClick={() => onChange({ extras: extras.filter((other) => other.key !== it.key) })}
            >
              <Trash2 />
            </IconButton>
          </div>
          <TaxSelect
            name={`extras.${place}.tax_name`}
            label={it.isDiscount ? "Taken off" : "Tax"}
            rates={rates}
            value={it.taxName}
            isDiscount={it.isDiscount}
            onChange={(taxName) => change(it.key, { taxName })}
            className="min-w-0 flex-[1_1_100%]"
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button kind="quiet" icon={<Plus aria-hidden className="size-5" />} onClick={() => add(false)}>
          Add a line
        </Button>
        <Button kind="quiet" icon={<Minus aria-hidden className="size-5" />} onClick={() => add(true)}>
          Add a discount
        </Button>
      </div>
      <ServiceTaxes
        services={services}
        rates={rates}
        taxes={form.serviceTaxes ?? {}}
        onChange={(serviceTaxes) => onChange({ serviceTaxes })}
      />
    </div>
  );
}
