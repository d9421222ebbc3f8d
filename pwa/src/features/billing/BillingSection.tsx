/** Owns the subscription in the profile: the plan, how far it is used up, and the way to all else of it. */
import { TriangleAlert } from "lucide-react";
import { Suspense, useState } from "react";
import { useReplica } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Banner, Button, loadable } from "../../ui";
import { PlanName } from "./Manage";
import { Usage } from "./Usage";

const BillingDialog = loadable(() => import("./BillingDialog"));

export function BillingSection() {
  const billing = useReplica((phone) => phone.billing(Date.now()));
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const [isOpen, setOpen] = useState(false);
  if (!hasLoaded) {
    return (
      <LoadingOrFailure
        label="Loading your plan"
        count={1}
        failure={(why) => `Failed to load billing information. ${why}`}
      />
    );
  }
  return (
    <>
      <PlanName billing={billing} />
      {billing.warning && (
        <Banner kind="danger" role="status" icon={<TriangleAlert aria-hidden />}>
          {billing.warning}
        </Banner>
      )}
      <Usage usage={billing.usage} />
      {billing.sells_plans && (
        <Button kind="quiet" onClick={() => setOpen(true)}>
          {billing.offers_upgrade ? "Upgrade" : billing.status === "inactive" ? "Reactivate" : "Manage subscription"}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <BillingDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
