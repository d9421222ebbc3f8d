/** Owns recording that money went back to a client. */
import { useMinute } from "../../browser/clock";
import { formatDollars } from "../../core";
import { useReplica } from "../../data";
import { Dialog } from "../../ui";
import { MoneyForm } from "./MoneyForm";

interface RefundDialogProps {
  /** Id of the invoice. */
  id: string;
  onClose: () => void;
}

export function RefundDialog({ id, onClose }: RefundDialogProps) {
  const now = useMinute();
  const card = useReplica((phone) => phone.invoiceCard(id, now));
  const today = useReplica((phone) => phone.today(now));
  if (!card) return null;
  const rest = `${formatDollars(card.owed_back)} to refund`;
  const sub = [card.number, card.client_name, rest].filter(Boolean).join(", ");
  return (
    <Dialog open size="small" onClose={onClose} dismissible={false} title="Record a refund" sub={sub}>
      <MoneyForm kind="refund" card={card} today={today} onClose={onClose}>
        <p className="text-14 text-ink-2">
          This only records money that you have already refunded. Refunds in Stripe are recorded automatically.
        </p>
      </MoneyForm>
    </Dialog>
  );
}
