/** Owns the step before Stripe's page: what is paid when, and the page itself in a tab of its own. */
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import type { PlanOffer } from "../../core";
import { checkoutSession } from "../../data/account/billing";
import { priceOf } from "../../parts/plan/planText";
import { Banner, Button } from "../../ui";
import { openStripePage } from "./stripePage";

interface CheckoutProps {
  plan: PlanOffer;
  /** True if the plan begins with a trial; `undefined` where that is not known yet. */
  mayTry: boolean | undefined;
  onBack: () => void;
}

const FAILED = "Failed to start checkout process. Please try again.";

export function Checkout({ plan, mayTry, onBack }: CheckoutProps) {
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await openStripePage(() => checkoutSession(plan.id, plan.stripe_price_id ?? ""));
    setBusy(false);
    if (answer.ok) setOpen(answer.value === "beside");
    else setProblem(answer.error.kind === "rejected" ? answer.error.text : FAILED);
  };
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-20 font-bold">{plan.display_name}</h2>
        <p className="num font-medium">{priceOf(plan)}</p>
      </div>
      <p className="text-ink-2 text-pretty">
        {mayTry !== undefined && `${whenPaid(plan, mayTry)} `}
        You pay on a page of Stripe, which opens in a new tab{mayTry === undefined && " and says what is paid when"}.
      </p>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      {isOpen && (
        <Banner kind="info" role="status">
          Finish in the tab that has opened. What you see here follows by itself.
        </Banner>
      )}
      <div className="grid gap-2">
        <Button icon={<ExternalLink aria-hidden className="size-5" />} busy={isBusy} onClick={() => void begin()}>
          {isOpen ? "Open the payment page again" : "Go to payment"}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

const whenPaid = (plan: PlanOffer, mayTry: boolean): string =>
  mayTry && plan.trial_days > 0
    ? `You pay nothing today. After ${plan.trial_days} days it is ${priceOf(plan)}, unless you cancel before.`
    : `You pay ${priceOf(plan)}, from today.`;
