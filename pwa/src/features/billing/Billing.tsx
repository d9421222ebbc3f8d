/**
 * Owns the subscription's modes (SPEC 2, Billing): the plan one has, the plans there are, and the step before paying. What
 * the phone knows is there without a network; prices and changes need one.
 */
import { useCallback, useEffect, useState } from "react";
import type { BillingDashboard, BillingView, PlanOffer } from "../../core";
import { useReplica, useSyncStatus } from "../../data";
import { billingDashboard, billingPlans, previewChange, updateSubscription } from "../../data/account/billing";
import { Banner, Button, confirm, LoadFailure, Segmented, SkeletonCards, toast } from "../../ui";
import { Checkout } from "./Checkout";
import { Manage } from "./Manage";
import { PlanList } from "./PlanList";
import { openPortal } from "./portal";

type Mode = "plans" | "manage" | "checkout";

export function Billing() {
  const billing = useReplica((phone) => phone.billing(Date.now()));
  const isSubscribed = billing.plan_id !== "free" && billing.status !== "inactive";
  const [chosen, setMode] = useState<Mode>();
  const [plan, setPlan] = useState<PlanOffer>();
  const server = useServer(billing.sells_plans);
  // What has begun meanwhile, in another tab, is what there is to see.
  const mode = chosen === "checkout" && isSubscribed ? "manage" : (chosen ?? (isSubscribed ? "manage" : "plans"));
  if (!billing.sells_plans) return <Manage billing={billing} dashboard={undefined} onPlans={() => undefined} />;
  if (mode === "checkout" && plan) {
    return <Checkout plan={plan} mayTry={server.dashboard?.may_try ?? false} onBack={() => setMode("plans")} />;
  }
  const choose = (it: PlanOffer) => {
    setPlan(it);
    setMode("checkout");
  };
  return (
    <div className="grid gap-5">
      <Segmented
        label="What to see"
        value={mode === "manage" ? "manage" : "plans"}
        onChange={setMode}
        options={[
          { value: "manage", label: "Current Plan" },
          { value: "plans", label: "Change Plan" },
        ]}
      />
      {mode === "manage" ? (
        <Manage billing={billing} dashboard={server.dashboard} onPlans={() => setMode("plans")} />
      ) : (
        <Plans billing={billing} server={server} onCheckout={choose} onChanged={() => setMode("manage")} />
      )}
    </div>
  );
}

type Server = ReturnType<typeof useServer>;

/** What only the server knows; asked anew when somebody comes back from another tab. */
function useServer(sellsPlans: boolean) {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  const [dashboard, setDashboard] = useState<BillingDashboard>();
  const [plans, setPlans] = useState<PlanOffer[]>();
  const [isFailed, setFailed] = useState(false);
  const load = useCallback(async () => {
    setFailed(false);
    const [seen, offered] = await Promise.all([billingDashboard(), billingPlans()]);
    if (seen.ok) setDashboard(seen.value);
    if (offered.ok) setPlans(offered.value);
    setFailed(!seen.ok || !offered.ok);
  }, []);
  useEffect(() => {
    if (!sellsPlans || !isReachable) return undefined;
    void load();
    const onBack = () => {
      if (document.visibilityState === "visible") void load();
    };
    document.addEventListener("visibilitychange", onBack);
    return () => document.removeEventListener("visibilitychange", onBack);
  }, [load, sellsPlans, isReachable]);
  return { dashboard, plans, isFailed, isReachable, needsAuth, load };
}

interface PlansProps {
  billing: BillingView;
  server: Server;
  onCheckout: (plan: PlanOffer) => void;
  onChanged: () => void;
}

function Plans({ billing, server, onCheckout, onChanged }: PlansProps) {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const choose = async (plan: PlanOffer) => {
    setProblem(undefined);
    if (billing.plan_id === "free" || billing.status === "inactive") {
      onCheckout(plan);
      return;
    }
    setBusy(plan.id);
    const found = await change(billing.plan_id, plan);
    setBusy(undefined);
    setProblem(found === "changed" ? undefined : found);
    void server.load();
    if (found === "changed") onChanged();
  };
  if (!server.isReachable) {
    return (
      <p role="status" className="text-ink-2 text-pretty">
        {server.needsAuth ? "Sign in again to" : "The network is needed to"} change your plan. Everything else goes on
        working.
      </p>
    );
  }
  if (server.isFailed && !server.plans) {
    return <LoadFailure onRetry={() => void server.load()}>Failed to load billing information</LoadFailure>;
  }
  if (!server.plans) return <SkeletonCards count={3} />;
  return (
    <div className="grid gap-4">
      {problem && (
        <Banner
          kind="danger"
          role="alert"
          action={
            problem.isCard && (
              <button type="button" onClick={() => void openPortal()}>
                Update card
              </button>
            )
          }
        >
          {problem.text}
        </Banner>
      )}
      <PlanList
        billing={billing}
        plans={server.plans}
        mayTry={server.dashboard?.may_try ?? false}
        busy={busy}
        onChoose={(it) => void choose(it)}
      />
      {billing.status === "past_due" && (
        <Button kind="quiet" onClick={() => void openPortal()}>
          Update card
        </Button>
      )}
    </div>
  );
}

interface Problem {
  text: string;
  /** Whether another card would help. */
  isCard: boolean;
}

const FAILED = "Failed to update subscription";

/** Says what a change comes to, and makes it on a yes; what was in its way, if anything. */
async function change(from: string, plan: PlanOffer): Promise<Problem | "changed" | undefined> {
  const preview = await previewChange(from, plan.id);
  if (!preview.ok) return { text: `${FAILED}. ${preview.error.text}`, isCard: false };
  const { words, proration_date } = preview.value;
  const isEnd = plan.id === "free";
  const isSure = await confirm({
    title: isEnd
      ? "Go back to Free?"
      : from === plan.id
        ? `Keep ${plan.display_name}?`
        : `Change to ${plan.display_name}?`,
    text: words,
    action: isEnd ? "End my plan" : "Confirm",
    cancel: "Not now",
  });
  if (!isSure) return undefined;
  const done = await updateSubscription(plan.id, proration_date);
  if (done.ok) {
    toast.success(isEnd ? "Your plan ends with what is paid" : `You are on ${plan.display_name}`);
    return "changed";
  }
  const { error } = done;
  const isCard = error.kind === "rejected" && error.code === "card_declined";
  return { text: `${FAILED}. ${error.text}`, isCard };
}
