/** Owns the two answers to a request: each is a command that also works with no network, and settles an earlier one. */
import { type ApproveRequest, formatNames, newId, type RequestCard } from "../../core";
import { business, canSendNow, type SaveOptions, save } from "../../data";
import { explainLimit } from "../../parts/plan/explainLimit";
import { toast } from "../../ui";

/** `Rex and Luna, Dana Reyes, Friday, November 20, 9:30 AM - 10:00 AM`. */
const subject = ({ pets, client, heading, time }: RequestCard): string =>
  [formatNames(pets.map((it) => it.name)), client?.name, heading, time].filter(Boolean).join(", ");

/** An approval of this request that was turned down: with another answer it needs nobody any more. */
const refusedApproval = (id: string): string | undefined =>
  business()
    .phone.attention()
    .map((it) => it.entry.mutation)
    .find(({ name, args }) => name === "approve_request" && (args as ApproveRequest).id === id)?.id;

interface Approval {
  /** Start that differs from the one that was asked for. */
  start_time?: string;
  /** Set when the person has seen the conflict. */
  overlap_ok?: boolean;
  /**
   * The one that the card shows. The rates may be others by the time the approval arrives: then it becomes the price
   * agreed for this service.
   */
  price: number;
}

/** Approves; what is said about it is said here. */
export async function approve(
  card: RequestCard,
  { start_time, overlap_ok = false, price }: Approval,
  go: (path: string) => void,
): Promise<void> {
  const args = {
    id: card.id,
    service_id: newId(),
    sitter_response: "",
    start_time: start_time ?? null,
    overlap_ok,
    price,
  };
  try {
    const saving = { resolves: refusedApproval(card.id) };
    const result = await save({ name: "approve_request", args }, `Approve the request: ${subject(card)}`, saving);
    if (result.ok) {
      // A client who has left the portal since hears nothing of it.
      const phone = await business().wholePhone();
      const told = card.is_told ? "" : ` ${phone.toldOfChange(card.client?.id, false, canSendNow())}`;
      toast.success(`Walk request approved and scheduled!${told}`);
    } else if (result.refusal.code === "limit_reached")
      await explainLimit(result.refusal.what, go, { text: result.text });
    else toast.error(`Failed to approve request. ${result.text}`);
  } catch {
    toast.error("Failed to approve request");
  }
}

/** Declines; resolves with the sentence that says why not, or with nothing where it is saved. */
export async function decline(
  card: RequestCard,
  sitter_response: string,
  saving: SaveOptions,
): Promise<string | undefined> {
  const command = { name: "decline_request", args: { id: card.id, sitter_response } } as const;
  try {
    const result = await save(command, `Decline the request: ${subject(card)}`, {
      ...saving,
      resolves: refusedApproval(card.id),
    });
    if (!result.ok) return result.text;
  } catch {
    return "Failed to decline request";
  }
  toast.info("Walk request declined");
  return undefined;
}
