/** Owns the subscription as it lies over a screen. */
import { Dialog } from "../../ui";
import { Billing } from "./Billing";

export default function BillingDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Subscription" size="medium">
      <div className="pb-4">
        <Billing />
      </div>
    </Dialog>
  );
}
