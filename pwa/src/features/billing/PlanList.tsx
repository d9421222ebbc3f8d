/** Owns the choice of a plan: what each has room for, what it costs, and what is done with it. */
import { Check } from "lucide-react";
import type { BillingView, PlanOffer } from "../../core";
import { linesOf, priceOf } from "../../parts/plan/planText";
import { Button } from "../../ui";

interface PlanListProps {
  billing: BillingView;
  plans: readonly PlanOffer[];
  /** True if a plan that is begun now starts with a trial, as far as that is known. */
  mayTry: boolean | undefined;
  /** The plan whose press is worked on. */
  busy: string | undefined;
  onChoose: (plan: PlanOffer) => void;
}

export function PlanList({ billing, plans, mayTry, busy, onChoose }: PlanListProps) {
  return (
    <ul className="grid gap-3">
      {plans.map((plan) => (
        <li key={plan.id} className="grid gap-3 rounded-large border border-line p-4">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h2 className="text-16 font-bold">{plan.display_name}</h2>
            <p className="num font-medium">{priceOf(plan)}</p>
          </div>
          <ul className="grid gap-1 text-14 text-ink-2">
            {linesOf(plan).map((line) => (
              <li key={line} className="num flex items-center gap-2">
                <Check aria-hidden className="size-4 shrink-0 text-completed" />
                {line}
              </li>
            ))}
          </ul>
          <Act plan={plan} billing={billing} mayTry={mayTry} busy={busy === plan.id} onChoose={() => onChoose(plan)} />
        </li>
      ))}
    </ul>
  );
}

interface ActProps extends Pick<PlanListProps, "billing" | "mayTry"> {
  plan: PlanOffer;
  busy: boolean;
  onChoose: () => void;
}

function Act({ plan, billing, mayTry, busy, onChoose }: ActProps) {
  const isOwn = plan.id === billing.plan_id && billing.status !== "inactive";
  if (isOwn && !billing.cancels) {
    return <p className="text-14 font-bold text-completed">Your plan</p>;
  }
  const isFree = plan.id === "free";
  if (isFree && billing.cancels) return null;
  // What costs something and whose price is not known is not to be had now.
  const isPriced = plan.stripe_price_id === null || plan.price !== null;
  const isTried = mayTry && plan.trial_days > 0 && (billing.plan_id === "free" || billing.status === "inactive");
  const word = isOwn ? "Keep" : isFree && billing.status === "inactive" ? "Stay on" : "Choose";
  return (
    <Button kind={plan.trial_days > 0 ? "primary" : "quiet"} busy={busy} disabled={!isPriced} onClick={onChoose}>
      {isTried ? `Try ${plan.display_name} for ${plan.trial_days} days` : `${word} ${plan.display_name}`}
    </Button>
  );
}
