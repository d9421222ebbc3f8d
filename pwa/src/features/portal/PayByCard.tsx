/**
 * Owns paying an invoice by card: the tip is chosen here, the card is typed on a page of Stripe's that opens beside the app.
 * The server has one page for an invoice, however often it is asked for.
 */
import { CreditCard, ExternalLink } from "lucide-react";
import { useState } from "react";
import { type CardOffer, formatDollars, type InvoiceCard } from "../../core";
import { cardPage } from "../../data/portal/portal";
import { Button, Dialog, DialogActions, OutsideLink, Segmented, useBusy } from "../../ui";

interface PayDialogProps {
  card: InvoiceCard;
  offer: CardOffer;
  onClose: () => void;
}

export function PayDialog({ card, offer, onClose }: PayDialogProps) {
  const { busy, run } = useBusy();
  const [tip, setTip] = useState(0);
  const [page, setPage] = useState<string>();
  const [error, setError] = useState<string>();
  const toPay = offer.tips.find((it) => it.percent === tip)?.to_pay ?? offer.amount;
  const choose = (percent: number) => {
    setTip(percent);
    setPage(undefined);
  };
  const pay = async () => {
    setError(undefined);
    const answer = await cardPage(card.id, tip);
    if (answer.ok) return setPage(answer.value.url);
    const { error } = answer;
    // The server's own sentence says that nothing was charged, which that for its status does not.
    return setError((error.kind === "server" && error.said) || error.text);
  };
  const none = { value: 0, label: "No tip" };
  const tips = offer.tips.map(({ percent, amount }) => ({
    value: percent,
    label: `${percent}% ${formatDollars(amount)}`,
  }));
  return (
    <Dialog
      open
      size="small"
      onClose={onClose}
      title={`Pay ${card.number} by card`}
      sub={`${formatDollars(offer.amount)} to pay`}
    >
      <div className="num grid grid-cols-1 gap-4">
        {tips.length > 0 && <Segmented label="Tip" value={tip} onChange={choose} options={[none, ...tips]} />}
        {error !== undefined && (
          <p role="alert" className="font-medium text-danger text-pretty">
            {error}
          </p>
        )}
        <p className="text-14 text-ink-2 text-pretty">
          {page === undefined
            ? "You enter your card on a page of Stripe's, not here."
            : "Stripe opens separately and ends on the invoice's own page. The payment shows up here, too, once Stripe has confirmed it."}
        </p>
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            {page === undefined ? "Cancel" : "Close"}
          </Button>
          {page === undefined ? (
            <Button busy={busy} icon={<CreditCard aria-hidden className="size-5" />} onClick={() => void run(pay)}>
              Pay {formatDollars(toPay)}
            </Button>
          ) : (
            <OutsideLink
              kind="primary"
              href={page}
              target="_blank"
              rel="noreferrer"
              icon={<ExternalLink aria-hidden className="size-5" />}
            >
              Continue to Stripe
            </OutsideLink>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}
