/** Owns the subscription in the profile: the plan, how far it is used up, and the way to all else of it. */
import { TriangleAlert } from "lucide-react";
import { Suspense, useState } from "react";
import { useReplica } from "../../data";
import { Banner, Button, loadable } from "../../ui";
import { PlanName } from "./Manage";
import { Usage } from "./Usage";

const BillingDialog = loadable(() => import("./BillingDialog"));

export function BillingSection() {
  const billing = useReplica((phone) => phone.billing(Date.now()));
  const [isOpen, setOpen] = useState(false);
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
