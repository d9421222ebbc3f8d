/** Owns the choice to pay an invoice with credit that its client has left. */
import { formatDollars } from "../../core";
import { Checkbox } from "../../ui";
import type { InvoiceForm } from "./form";

interface UseCreditProps {
  /** In dollars; nothing is asked where there is none. */
  credit: number;
  form: InvoiceForm;
  onChange: (change: Pick<InvoiceForm, "keepsCredit">) => void;
}

export function UseCredit({ credit, form, onChange }: UseCreditProps) {
  if (credit <= 0) return null;
  return (
    <Checkbox
      name="credits"
      label={`Use ${formatDollars(credit)} credit`}
      hint="From what was paid too much before. The rest stays for later."
      checked={!form.keepsCredit}
      onChange={(isUsed) => onChange({ keepsCredit: !isUsed })}
    />
  );
}
