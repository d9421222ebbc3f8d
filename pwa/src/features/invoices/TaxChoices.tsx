/** Owns the choice of a tax rate for the lines of an invoice: each service, each extra line, each discount. */
import { type BillableService, formatDate, formatDollars, type RateOption } from "../../core";
import { FieldGroup, Select } from "../../ui";

/** The choice where the business has no rate any more. */
const NO_RATES = [{ name: "", label: "No tax" }];

/** Stands for a discount that is taken off all lines. */
const ALL_LINES = "\n";

interface TaxSelectProps {
  name: string;
  label: string;
  rates: readonly RateOption[];
  /** Name of the rate; "" for no tax, undefined for the default one. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  isDiscount?: boolean;
  /** Name of the rate that stands for undefined, where that is not the default one. */
  usualName?: string | null;
  className?: string;
}

const isGone = (rates: readonly RateOption[], name: string | undefined): name is string =>
  Boolean(name) && !rates.some((it) => it.name === name);

/** The rate of one line; nothing where the business has no tax, unless the line has a rate that was removed since. */
export function TaxSelect({
  name,
  label,
  rates,
  value,
  onChange,
  isDiscount = false,
  usualName,
  className,
}: TaxSelectProps) {
  const gone = isGone(rates, value) ? [{ value, label: `${value}, no longer one of your rates` }] : [];
  if (rates.length + gone.length === 0) return null;
  const usual = isDiscount ? ALL_LINES : (usualName ?? rates.find((it) => it.is_default)?.name);
  const offered = rates.length > 0 ? rates : NO_RATES;
  const named = [...offered.map((it) => ({ value: it.name, label: it.label })), ...gone];
  const options = isDiscount ? [{ value: ALL_LINES, label: "All lines, in proportion" }, ...named] : named;
  return (
    <Select
      name={name}
      label={label}
      value={value ?? usual ?? null}
      onChange={(it) => onChange(it === usual ? undefined : it)}
      options={options}
      {...(className && { className })}
    />
  );
}

interface ServiceTaxesProps {
  services: readonly BillableService[];
  rates: readonly RateOption[];
  /** Names of rates by the ids of services; those with the rate of their offering, or the default one, are left out. */
  taxes: Readonly<Record<string, string>>;
  onChange: (taxes: Record<string, string>) => void;
}

export function ServiceTaxes({ services, rates, taxes, onChange }: ServiceTaxesProps) {
  const hasGone = services.some(({ view }) => isGone(rates, taxes[view.id]));
  if (services.length === 0 || (rates.length === 0 && !hasGone)) return null;
  const change = (id: string, name: string | undefined) => {
    const { [id]: _, ...others } = taxes;
    onChange(name === undefined ? others : { ...others, [id]: name });
  };
  return (
    <FieldGroup name="service_taxes" label="Tax on each service">
      <div className="grid grid-cols-1 gap-3">
        {services.map(({ view, usual_tax }) => (
          <TaxSelect
            key={view.id}
            name={`service_taxes.${view.id}`}
            label={`${formatDate(view.date)}, ${view.formatted_time}, ${formatDollars(view.price)}`}
            rates={rates}
            value={taxes[view.id]}
            usualName={usual_tax}
            onChange={(it) => change(view.id, it)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
