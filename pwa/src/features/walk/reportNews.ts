/**
 * Owns what is said of a report on its way: that it was shared when the server has confirmed it, and not before; until
 * then that it is sent, or what it waits for; and then who finds it in the portal, and to whom a link is to be sent. What is refused is told by
 * Needs attention.
 */
import { navigate } from "wouter/use-browser-location";
import { deviceText } from "../../browser/device";
import { type Report, type ReportsShared, whileSharing } from "../../core";
import { SEND_STATE, type SendState, sendState, subscribeToSendState } from "../../data";
import { business, openBusiness, subscribeToReplica } from "../../data/business/openBusiness";
import { toast } from "../../ui";
import { passOnReport } from "./passOnReport";

/** Tells of the report that was just saved; ends with the report's way, or when its person leaves this phone. */
export async function tellWhenShared(walkId: string, isChange: boolean): Promise<void> {
  const of = business();
  const phone = await of.wholePhone();
  let dismiss: (() => void) | undefined;
  let said: string | undefined;
  const leave: (() => void)[] = [];
  const look = () => {
    const isHere = openBusiness() === of;
    const reports = isHere ? phone.reports(walkId) : [];
    if (reports.some((it) => phone.isPending("report", it.id))) {
      const text = onItsWay(sendState());
      if (text === said) return;
      said = text;
      dismiss?.();
      dismiss = toast.info(text);
      return;
    }
    for (const it of leave) it();
    dismiss?.();
    if (reports.length === 0 || isRefused(walkId)) return;
    const sharing = phone.reportsShared(walkId);
    const text = isChange ? "Report changed." : "Report shared.";
    toast.success(isChange ? text : `${text} ${sharing.done}`, isChange ? undefined : passOn(reports, sharing));
  };
  leave.push(subscribeToReplica(look), subscribeToSendState(look));
  look();
}

const onItsWay = (state: SendState): string =>
  state === "sending" || state === "offline"
    ? whileSharing("the report", state === "sending")
    : deviceText(`${SEND_STATE[state]}: the report is safe on this phone`);

const isRefused = (walkId: string): boolean =>
  business()
    .phone.attention()
    .some(
      ({ entry: { mutation } }) => mutation.name === "share_walk" && (mutation.args as { id: string }).id === walkId,
    );

/** One link goes on its way from here; each of several from the list. */
function passOn(reports: readonly Report[], { to_pass_on: [first, ...others] }: ReportsShared) {
  if (!first) return undefined;
  if (others.length > 0) return { label: "To send", onAction: () => navigate("/to-send") };
  const report = reports.find((it) => it.client_id === first);
  return report && { label: "Send link", onAction: () => void passOnReport(report) };
}
