/** Owns the payments on an invoice and its refunds: each line, which can be removed, and recording a further payment. */
import { Trash2 } from "lucide-react";
import { useMinute } from "../../browser/clock";
import { formatDollars, type InvoiceCard, type PaymentLine } from "../../core";
import { useReplica } from "../../data";
import { Dialog, IconButton } from "../../ui";
import { removePayment, removeRefund } from "./keeping";
import { MoneyForm } from "./MoneyForm";
import { methodName } from "./methods";

interface DialogProps {
  /** Id of the invoice. */
  id: string;
  onClose: () => void;
}

export function PaymentDialog({ id, onClose }: DialogProps) {
  const now = useMinute();
  const card = useReplica((phone) => phone.invoiceCard(id, now));
  const today = useReplica((phone) => phone.today(now));
  if (!card) return null;
  const { payments, refunds } = card;
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Payments" sub={sub(card)}>
      <div className="grid grid-cols-1 gap-4">
        {payments.length === 0 && <p className="text-ink-2">Nothing is paid yet.</p>}
        <Lines kind="payment" label="Paid so far" lines={payments} onRemove={(it) => void removePayment(card, it)} />
        <Lines kind="refund" label="Refunds so far" lines={refunds} onRemove={(it) => void removeRefund(card, it.id)} />
        {card.payable > 0 && (
          <MoneyForm kind="payment" card={card} today={today} onClose={onClose} className="border-t border-line pt-4" />
        )}
      </div>
    </Dialog>
  );
}

const sub = (card: InvoiceCard): string => {
  const rest = card.balance > 0 ? `${formatDollars(card.balance)} still owed` : card.standing;
  return [card.number, card.client_name, rest].filter(Boolean).join(", ");
};

interface LinesProps {
  kind: "payment" | "refund";
  label: string;
  lines: readonly PaymentLine[];
  onRemove: (line: PaymentLine) => void;
}

function Lines({ kind, label, lines, onRemove }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul aria-label={label} className="num grid grid-cols-1 divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id} className="flex min-h-14 items-center gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-bold">
              {formatDollars(line.amount)}
              {kind === "refund" && !line.credit && " refunded"}
            </span>
            <span className="block text-14 text-ink-2">
              {[line.credit ?? methodName(line.method), line.day, line.note].filter(Boolean).join(", ")}
            </span>
          </span>
          {line.method !== "credit" && !line.credit && (
            <IconButton label={`Remove the ${kind} of ${formatDollars(line.amount)}`} onClick={() => onRemove(line)}>
              <Trash2 />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}
