/** Owns the plan that one has: what it is, how it stands, how far it is used up, and the way to the card and the bills. */
import { CreditCard, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { BillingDashboard, BillingView } from "../../core";
import { Banner, Button } from "../../ui";
import { openPortal } from "./portal";
import { Usage } from "./Usage";

interface ManageProps {
  billing: BillingView;
  /** The server's billing data; `undefined` without a network. */
  dashboard: BillingDashboard | undefined;
  /** Shows the plans. */
  onPlans: () => void;
}

export function Manage({ billing, dashboard, onPlans }: ManageProps) {
  const [isBusy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    await openPortal();
    setBusy(false);
  };
  return (
    <div className="grid gap-5">
      <PlanName billing={billing} />
      {billing.warning && (
        <Banner
          kind="danger"
          role="status"
          icon={<TriangleAlert aria-hidden />}
          action={
            billing.status === "inactive" ? (
              <button type="button" onClick={onPlans}>
                Reactivate
              </button>
            ) : (
              <button type="button" onClick={() => void openPortal()}>
                Update card
              </button>
            )
          }
        >
          {billing.warning}
        </Banner>
      )}
      <Usage usage={billing.usage} />
      {!billing.sells_plans && <p className="text-14 text-ink-2 text-pretty">Everything on this server is free.</p>}
      {billing.sells_plans && (
        <div className="grid gap-2">
          {billing.offers_upgrade && <Button onClick={onPlans}>Upgrade</Button>}
          {dashboard?.has_portal && (
            <Button
              kind="quiet"
              icon={<CreditCard aria-hidden className="size-5" />}
              busy={isBusy}
              onClick={() => void open()}
            >
              Card and bills
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** The plan's name, with a tag while it is tried. */
export function PlanName({ billing }: { billing: BillingView }) {
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-20 font-bold">{billing.plan_name}</span>
        {billing.status === "trialing" && (
          <span className="rounded-full bg-tag px-2 py-[2px] text-12 font-bold text-on-tag">TRIAL</span>
        )}
      </p>
      {billing.note && <p className="num text-14 text-ink-2">{billing.note}</p>}
    </div>
  );
}
