/** Owns the way to Stripe's page of the card and the bills. */
import type { PlanOffer } from "../../core";
import { portalSession } from "../../data/account/billing";
import { toast } from "../../ui";
import { openStripePage } from "./stripePage";

/** With a plan, the page on which the change to it is paid, with what one's bank asks for. */
export async function openPortal(plan?: PlanOffer): Promise<void> {
  const answer = await openStripePage(() => portalSession(plan?.id));
  if (!answer.ok) toast.error(`Failed to open billing portal. ${answer.error.text}`);
}
