/** Owns what is beside the list of services on a desktop: one of them as a whole. */
import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { formatTime, type OfferingView } from "../../core";
import { useRead } from "../../data";
import { Button } from "../../ui";
import { countedText } from "./OfferingForm";

interface OfferingDetailProps {
  offering: OfferingView;
  /** The form has just been left, and the focus with it. */
  takesFocus: boolean;
  onEdit: () => void;
}

export function OfferingDetail({ offering, takesFocus, onEdit }: OfferingDetailProps) {
  const { name, icon, category, description, is_active, price_text, further_day_after } = offering;
  const tax = useTaxText(offering.tax_name ?? null);
  const counted = countedText(offering);
  return (
    <section
      aria-label={`About ${name}`}
      className="grid animate-appear gap-4 rounded-large border border-line bg-card p-5"
    >
      <div className="flex items-center gap-3">
        <span aria-hidden className="text-40 leading-none">
          {icon}
        </span>
        <div className="min-w-0">
          <h2 dir="auto" className="text-20 font-bold wrap-anywhere">
            {name}
          </h2>
          <p className="text-14 text-ink-2">{category}</p>
        </div>
      </div>
      <dl className="grid gap-3">
        <Fact name="Price">
          {price_text}
          {counted && <span className="block text-14 text-ink-2">{counted}</span>}
          {further_day_after && (
            <span className="block text-14 text-ink-2">The last day counts after {formatTime(further_day_after)}.</span>
          )}
        </Fact>
        <Fact name="Description">
          {description ? <span dir="auto">{description}</span> : <span className="text-ink-2">None</span>}
        </Fact>
        {tax && <Fact name="Tax on invoices">{tax}</Fact>}
        <Fact name="State">{is_active ? "Active" : "Inactive: it is not offered for new bookings"}</Fact>
      </dl>
      <Button
        kind="quiet"
        autoFocus={takesFocus}
        icon={<Pencil aria-hidden className="size-5" />}
        onClick={onEdit}
        className="justify-self-start"
      >
        Edit
      </Button>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-14 text-ink-2">{name}</dt>
      <dd className="num text-pretty wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The tax of invoice lines about it; nothing where the business has no rates. */
function useTaxText(name: string | null): string | undefined {
  const rates = useRead((phone) => phone.taxRates());
  if (rates.length === 0) return undefined;
  const own = rates.find((it) => (name === null ? it.is_default : it.name === name));
  return own?.label ?? (name === null ? "No tax" : `${name}, no longer one of your rates`);
}
