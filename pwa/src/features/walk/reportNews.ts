/**
 * Owns what is said of a report on its way: that it was shared when the server has confirmed it, and not before; without a
 * network, that it waits. What is refused is told by Needs attention.
 */
import type { Report } from "../../core";
import { business, openBusiness, subscribeToReplica } from "../../data/business/openBusiness";
import { subscribeToSync, syncStatus } from "../../data/sync/sync";
import { toast } from "../../ui";
import { sendLink } from "./sendLink";

const SENDING = "Sending the report";
const WAITS = "No network: the report is sent when it is back";

/** Tells of the report that was just saved; ends with the report's way, or when its person leaves this phone. */
export function tellWhenShared(walkId: string, isChange: boolean): void {
  const of = business();
  let dismiss: (() => void) | undefined;
  let said: string | undefined;
  const leave: (() => void)[] = [];
  const look = () => {
    const isHere = openBusiness() === of;
    const reports = isHere ? of.phone.reports(walkId) : [];
    if (reports.some((it) => of.phone.isPending("report", it.id))) {
      const text = syncStatus().online ? SENDING : WAITS;
      if (text === said) return;
      said = text;
      dismiss?.();
      dismiss = toast.info(text);
      return;
    }
    for (const it of leave) it();
    dismiss?.();
    if (reports.length > 0 && !isRefused(walkId))
      toast.success(isChange ? "Report changed" : "Report shared", linkOf(reports));
  };
  leave.push(subscribeToReplica(look), subscribeToSync(look));
  look();
}

const isRefused = (walkId: string): boolean =>
  business()
    .phone.attention()
    .some(
      ({ entry: { mutation } }) => mutation.name === "share_walk" && (mutation.args as { id: string }).id === walkId,
    );

/** With one client the link goes on its way from here; with several each has its own, on the walk's page. */
function linkOf([report, ...others]: readonly Report[]) {
  if (!report?.share_id || others.length > 0) return undefined;
  const { share_id, dogs } = report;
  return { label: "Send link", onAction: () => void sendLink(share_id, dogs) };
}
