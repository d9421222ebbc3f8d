/**
 * Owns what is said of an invoice on its way once its dialog was closed: that it was shared, with the way to its link, and
 * not before. What is refused is told by Needs attention.
 */
import { business, openBusiness, subscribeToReplica } from "../../data/business/openBusiness";
import { toast } from "../../ui";
import { titleOf } from "./link";

/** Invoices that were shared in this tab and whose link is copied as soon as there is one. */
const awaited = new Set<string>();

export const awaitLink = (id: string): void => void awaited.add(id);

/** True, once, if the link is to be copied now. */
export const isAwaited = (id: string): boolean => awaited.delete(id);

const told = new Set<string>();

/** Tells of an invoice that waits to be sent, when it has gone. */
export async function tellWhenShared(id: string, open: () => void): Promise<void> {
  if (told.has(id)) return;
  told.add(id);
  const of = business();
  const phone = await of.wholePhone();
  const look = () => {
    const link = openBusiness() === of ? phone.invoiceLink(id) : undefined;
    if (link && !link.link) return;
    leave();
    told.delete(id);
    if (!link) return;
    toast.success(
      `${titleOf(link)} is shared. ${link.told}`.trim(),
      link.is_to_pass_on ? { label: "Send link", onAction: open } : undefined,
    );
  };
  const leave = subscribeToReplica(look);
  look();
}
