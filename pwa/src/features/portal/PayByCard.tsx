/**
 * Owns paying an invoice by card: the tip is chosen here, the card is typed on a page of Stripe's in place of the app, which
 * leads back. The server has one page for an invoice, however often it is asked for.
 */
import { CreditCard } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { type CardOffer, formatDollars, type InvoiceCard } from "../../core";
import { cardPage } from "../../data/portal/portal";
import { Button, Dialog, DialogActions, Segmented, useBusy } from "../../ui";
import { returnTo } from "./cardReturn";
import { beginLeaving } from "./leavingToPay";

interface PayDialogProps {
  card: InvoiceCard;
  offer: CardOffer;
  onClose: () => void;
  /** Goes to Stripe's page; another one in tests. */
  leave?: (url: string) => void;
}

const leaveFor = (url: string): void => location.assign(url);

export function PayDialog({ card, offer, onClose, leave = leaveFor }: PayDialogProps) {
  const { busy, run } = useBusy();
  const [, navigate] = useLocation();
  const [tip, setTip] = useState(0);
  const [error, setError] = useState<string>();
  const toPay = offer.tips.find((it) => it.percent === tip)?.to_pay ?? offer.amount;
  const go = (url: string) => {
    onClose();
    // An address of the app's own says what has become of a payment already.
    const isHere = url.startsWith("/");
    // The browser draws the app for as long as Stripe's page loads.
    if (!isHere) beginLeaving();
    navigate(isHere ? url : returnTo(card), { replace: true });
    if (!isHere) leave(url);
  };
  const pay = async () => {
    setError(undefined);
    const answer = await cardPage(card.id, tip);
    if (answer.ok) return go(answer.value.url);
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
      title={
        <>
          Pay <span className="inline-block wrap-anywhere">{card.number}</span> by card
        </>
      }
      sub={`${formatDollars(offer.amount)} to pay`}
    >
      <div className="num grid grid-cols-1 gap-4">
        {tips.length > 0 && <Segmented label="Tip" value={tip} onChange={setTip} options={[none, ...tips]} />}
        {error !== undefined && (
          <p role="alert" className="font-medium text-danger text-pretty">
            {error}
          </p>
        )}
        <p className="text-14 text-ink-2 text-pretty">You enter your card on a page of Stripe's, not here.</p>
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} icon={<CreditCard aria-hidden className="size-5" />} onClick={() => void run(pay)}>
            Pay {formatDollars(toPay)}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
