/** Owns what the join page says of the price: the plans that this server has, and none that it has not. */
import { Check } from "lucide-react";
import type { PlanOffer } from "../../core";
import { linesOf, priceOf } from "../../parts/plan/planText";
import { cx } from "../../ui";

export function Plans({ plans }: { plans: readonly PlanOffer[] }) {
  return (
    <section aria-labelledby="join-plans" className="bg-sunken">
      <div className="join-middle mx-auto grid gap-5 px-5 py-8 md:px-8">
        <div className="grid gap-1">
          <h2 id="join-plans" className="text-28 font-bold">
            What it costs
          </h2>
          <p className="max-w-[60ch] text-ink-2 text-pretty">
            {plans.some((it) => it.trial_days > 0)
              ? "Begin for free, and grow when you do. What you have entered stays yours with every plan."
              : "Nothing. Everything is free on this server, and you need no card."}
          </p>
        </div>
        <ul className={cx("grid gap-4", plans.length > 1 && "md:grid-cols-3")}>
          {plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} isAlone={plans.length === 1} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function PlanCard({ plan, isAlone }: { plan: PlanOffer; isAlone: boolean }) {
  const { display_name, price, trial_days } = plan;
  const lines = [...linesOf(plan), trial_days > 0 ? `Try it for ${trial_days} days` : "$0, for good"];
  return (
    <li className="grid content-start gap-3 rounded-large border border-line bg-card p-5">
      <h3 className="text-20 font-bold">{display_name}</h3>
      <ul className={cx("grid gap-1", isAlone && "join-one")}>
        {lines.map((line) => (
          <li key={line} className="num flex items-center gap-2">
            <Check aria-hidden className="size-5 shrink-0 text-completed" />
            {line}
          </li>
        ))}
      </ul>
      {trial_days > 0 && (
        <p className={price ? "num font-medium" : "text-14 text-ink-2"}>
          {price ? priceOf(plan) : "The price is said before anything is charged."}
        </p>
      )}
    </li>
  );
}
