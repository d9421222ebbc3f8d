/**
 * Owns the subscription's modes (SPEC 2, Billing): the plan one has, the plans there are, and the step before paying. What
 * the phone knows is there without a network; prices and changes need one.
 */
import { useCallback, useEffect, useState } from "react";
import type { BillingDashboard, BillingView, PlanOffer } from "../../core";
import { useReplica, useSyncStatus } from "../../data";
import { billingDashboard, billingPlans, previewChange, updateSubscription } from "../../data/account/billing";
import type { Answer } from "../../data/server/api";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Banner, Button, confirm, LoadFailure, Segmented, SkeletonCards, toast } from "../../ui";
import { Checkout } from "./Checkout";
import { Manage } from "./Manage";
import { PlanList } from "./PlanList";
import { openPortal } from "./portal";

type Mode = "plans" | "manage" | "checkout";

export function Billing() {
  const billing = useReplica((phone) => phone.billing(Date.now()));
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const isSubscribed = billing.plan_id !== "free" && billing.status !== "inactive";
  const [chosen, setMode] = useState<Mode>();
  const [plan, setPlan] = useState<PlanOffer>();
  const server = useServer(billing.sells_plans);
  // What has begun meanwhile, in another tab, is what there is to see.
  const mode = chosen === "checkout" && isSubscribed ? "manage" : (chosen ?? (isSubscribed ? "manage" : "plans"));
  if (!hasLoaded) return <LoadingOrFailure label="Loading your plan" failure={(why) => `${FAILED_TO_LOAD}. ${why}`} />;
  if (!billing.sells_plans) return <Manage billing={billing} dashboard={undefined} onPlans={() => undefined} />;
  if (mode === "checkout" && plan) {
    return <Checkout plan={plan} mayTry={server.dashboard?.may_try} onBack={() => setMode("plans")} />;
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
      {server.hasNoDashboard && <LoadFailure onRetry={() => void server.load()}>{FAILED_TO_LOAD}</LoadFailure>}
      {mode === "manage" ? (
        <Manage billing={billing} dashboard={server.dashboard} onPlans={() => setMode("plans")} />
      ) : (
        <Plans billing={billing} server={server} onCheckout={choose} onChanged={() => setMode("manage")} />
      )}
    </div>
  );
}

type Server = ReturnType<typeof useServer>;

/** Fetches what only the server knows; again when somebody comes back from another tab. */
function useServer(sellsPlans: boolean) {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  const [dashboard, setDashboard] = useState<BillingDashboard>();
  const [plans, setPlans] = useState<PlanOffer[]>();
  const [failed, setFailed] = useState({ dashboard: false, plans: false });
  const load = useCallback(async () => {
    setFailed({ dashboard: false, plans: false });
    const ask = async <T,>(what: keyof typeof failed, asked: Promise<Answer<T>>, set: (it: T) => void) => {
      const answer = await asked;
      if (answer.ok) set(answer.value);
      setFailed((it) => ({ ...it, [what]: !answer.ok }));
    };
    // What one's own plan is waits for Stripe; what the plans are does not.
    await Promise.all([ask("dashboard", billingDashboard(), setDashboard), ask("plans", billingPlans(), setPlans)]);
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
  const hasNoPlans = failed.plans && !plans;
  // Of both it is said once.
  const hasNoDashboard = isReachable && failed.dashboard && !dashboard && !hasNoPlans;
  return { dashboard, plans, hasNoDashboard, hasNoPlans, isReachable, needsAuth, load };
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
    const isBegun = billing.plan_id === "free" || billing.status === "inactive";
    if (isBegun && plan.id !== "free") {
      onCheckout(plan);
      return;
    }
    setBusy(plan.id);
    const found = await change(billing, plan);
    setBusy(undefined);
    setProblem(found === "changed" ? undefined : found);
    void server.load();
    if (found === "changed") onChanged();
  };
  if (!server.isReachable) {
    return (
      <p role="status" className="text-ink-2 text-pretty">
        {server.needsAuth ? "Sign in again to" : "You need a connection to"} change your plan. Everything else keeps
        working.
      </p>
    );
  }
  if (server.hasNoPlans) {
    return <LoadFailure onRetry={() => void server.load()}>{FAILED_TO_LOAD}</LoadFailure>;
  }
  if (!server.plans) return <SkeletonCards count={3} />;
  return (
    <div className="grid gap-4">
      {problem && (
        <Banner
          kind="danger"
          role="alert"
          action={
            problem.mend && (
              <button type="button" onClick={problem.mend.run}>
                {problem.mend.label}
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
        mayTry={server.dashboard?.may_try}
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
  /** A button that would help. */
  mend?: { label: string; run: () => void } | undefined;
}

const FAILED = "Failed to update subscription";
const FAILED_TO_LOAD = "Failed to load billing information";

/** Says what a change comes to, and makes it on a yes; what was in its way, if anything. */
async function change(billing: BillingView, plan: PlanOffer): Promise<Problem | "changed" | undefined> {
  const from = billing.plan_id;
  const preview = await previewChange(from, plan.id);
  if (!preview.ok) return { text: `${FAILED}. ${preview.error.text}` };
  const { words, proration_date } = preview.value;
  const { title, action, done } = wordsOf(billing, plan);
  if (!(await confirm({ title, text: words, action, cancel: "Not now" }))) return undefined;
  const answer = await updateSubscription(from, plan.id, proration_date);
  if (answer.ok) {
    toast.success(done);
    return "changed";
  }
  const { error } = answer;
  return { text: `${FAILED}. ${error.text}`, mend: error.kind === "rejected" ? mendOf(error.code, plan) : undefined };
}

function mendOf(code: string, plan: PlanOffer): Problem["mend"] {
  if (code === "card_declined") return { label: "Update card", run: () => void openPortal() };
  if (code === "bank_asks") return { label: "Confirm with my bank", run: () => void openPortal(plan) };
  return undefined;
}

/** Returns the texts of the question before a change and of the notice after it. */
function wordsOf({ plan_id, status }: BillingView, plan: PlanOffer): { title: string; action: string; done: string } {
  const name = plan.display_name;
  const done = `You are on ${name}`;
  if (plan.id !== "free") {
    return { title: plan_id === plan.id ? `Keep ${name}?` : `Change to ${name}?`, action: "Confirm", done };
  }
  if (status === "inactive") return { title: `Stay on ${name}?`, action: `Stay on ${name}`, done };
  return { title: `Go back to ${name}?`, action: "End my plan", done: "Your plan ends with what is paid" };
}
