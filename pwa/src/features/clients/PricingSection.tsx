/** Owns the rates of the client form, with what they come to while they are typed: the core's own price, in its words. */
import { TriangleAlert } from "lucide-react";
import { formatDollars, type MultipleDogMethod, priceExamples, rateWarning } from "../../core";
import { MoneyField, NumberField, Segmented } from "../../ui";
import type { ClientValues } from "./form";

const METHODS: readonly { value: MultipleDogMethod; label: string }[] = [
  { value: "percentage", label: "Percentage" },
  { value: "flat", label: "Flat rate" },
  { value: "none", label: "No charge" },
];

const RATES = [
  { field: "walk_rate_30min", label: "30 min walk" },
  { field: "walk_rate_45min", label: "45 min walk" },
  { field: "walk_rate_60min", label: "60 min walk" },
  { field: "pricing_walk", label: "Longer walk" },
  { field: "pricing_dropin", label: "Drop-in" },
] as const;

interface PricingSectionProps {
  client: ClientValues;
  /** How many dogs the example is for. */
  dogs: number;
  onChange: (changes: Partial<ClientValues>) => void;
}

export function PricingSection({ client, dogs, onChange }: PricingSectionProps) {
  const rates = JSON.stringify(client);
  const examples = priceExamples(rates, dogs);
  const warning = rateWarning(rates);
  return (
    <section aria-labelledby="client-pricing" className="grid gap-4">
      <div>
        <h3 id="client-pricing" className="text-20 font-bold">
          Pricing
        </h3>
        <p className="text-14 text-ink-2">Your client sees these prices in the portal.</p>
      </div>
      <div className="grid pair gap-3 md:grid-cols-5">
        {RATES.map(({ field, label }) => (
          <MoneyField
            key={field}
            name={field}
            label={label}
            value={client[field]}
            onChange={(amount) => onChange({ [field]: amount })}
          />
        ))}
      </div>
      {warning && (
        <p aria-live="polite" className="num flex items-start gap-2 text-14 wrap-anywhere">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {warning}
        </p>
      )}
      <div className="grid gap-1">
        <p aria-hidden className="text-14 font-medium">
          Each extra dog
        </p>
        <Segmented
          label="Each extra dog"
          value={client.multiple_dog_method}
          onChange={(multiple_dog_method) => onChange({ multiple_dog_method })}
          options={METHODS}
        />
      </div>
      {client.multiple_dog_method === "percentage" && (
        <NumberField
          name="additional_dog_percentage"
          label="Percentage of the price for each extra dog"
          integer
          unit="%"
          value={client.additional_dog_percentage}
          onChange={(additional_dog_percentage) => onChange({ additional_dog_percentage })}
        />
      )}
      {client.multiple_dog_method === "flat" && (
        <div className="grid pair gap-3">
          <MoneyField
            name="additional_dog_walk_rate"
            label="Extra dog on a walk"
            value={client.additional_dog_walk_rate}
            onChange={(amount) => onChange({ additional_dog_walk_rate: amount ?? 0 })}
          />
          <MoneyField
            name="additional_dog_dropin_rate"
            label="Extra dog on a drop-in"
            value={client.additional_dog_dropin_rate}
            onChange={(amount) => onChange({ additional_dog_dropin_rate: amount ?? 0 })}
          />
        </div>
      )}
      <dl aria-label="For example" className="num grid gap-2 rounded-large bg-sunken p-4">
        {examples.map(({ title, breakdown }) => (
          <div key={title} className="grid grid-cols-[1fr_auto] gap-x-3">
            <dt>{title}</dt>
            <dd className="font-bold">{formatDollars(breakdown.total)}</dd>
            {breakdown.additionalDogsCount > 0 && (
              <dd className="col-span-2 text-14 text-ink-2">{breakdown.explanation}</dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
