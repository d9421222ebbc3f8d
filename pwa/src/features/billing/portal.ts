/** Owns the way to Stripe's page of the card and the bills. */
import { portalSession } from "../../data/account/billing";
import { toast } from "../../ui";
import { openStripePage } from "./stripePage";

export async function openPortal(): Promise<void> {
  const answer = await openStripePage(portalSession);
  if (!answer.ok) toast.error(`Failed to open billing portal. ${answer.error.text}`);
}
