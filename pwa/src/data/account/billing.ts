/** Owns the calls about the subscription: what plans cost, what a change comes to, and pages of Stripe's. */
import type { BillingDashboard, BillingPage, PlanChangePreview, PlanOffer } from "../../core";
import { type Answer, call } from "../server/api";
import { sessionToken } from "../session/session";

const get = <T>(path: string): Promise<Answer<T>> => call<T>(`/billing/${path}`, { token: sessionToken() });

/** Each is several calls of the server's to Stripe. */
const TIMEOUT_MS = 40_000;

const post = <T>(path: string, body: unknown): Promise<Answer<T>> =>
  call<T>(`/billing/${path}`, { method: "POST", token: sessionToken(), body, timeoutMs: TIMEOUT_MS });

/** Address that Stripe's pages lead back to. */
const here = (): string => `${location.origin}/billing`;

/** Asks the server to look at what stands at Stripe, too. */
export const billingDashboard = () => get<BillingDashboard>("dashboard");
export const billingPlans = () => get<PlanOffer[]>("plans");

export const previewChange = (current_plan_id: string, new_plan_id: string) =>
  post<PlanChangePreview>("preview-change", { current_plan_id, new_plan_id });

/** As it was previewed at that time, from that plan. */
export const updateSubscription = (current_plan_id: string, plan_id: string, proration_date: number) =>
  post<BillingDashboard>("update-subscription", { current_plan_id, plan_id, proration_date });

export const checkoutSession = (plan_id: string, price_id: string) =>
  post<BillingPage>("checkout-session", { plan_id, price_id, return_url: here() });

export const portalSession = (plan_id = "") => post<BillingPage>("portal-session", { return_url: here(), plan_id });
