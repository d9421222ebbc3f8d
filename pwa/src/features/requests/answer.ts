/** Owns the two answers to a request: each is a command that also works with no network, and settles an earlier one. */
import {
  type ApproveRequest,
  type ApproveRequests,
  type Command,
  formatNames,
  type GrantRequest,
  newId,
  type Phone,
  type RequestCard,
} from "../../core";
import { business, canSendNow, type SaveOptions, save } from "../../data";
import { explainLimit } from "../../parts/plan/explainLimit";
import { toast } from "../../ui";
import { withWaits } from "../scheduling";

/** `Rex and Luna, Dana Reyes, Friday, November 20, 9:30 AM - 10:00 AM`. */
const subject = ({ pets, client, called }: RequestCard): string =>
  [formatNames(pets.map((it) => it.name)), client?.name, called].filter(Boolean).join(", ");

/** An approval of this request that was turned down: with another answer it needs nobody any more. */
const refusedApproval = (id: string): string | undefined =>
  business()
    .phone.attention()
    .map((it) => it.entry.mutation)
    .find(({ name, args }) =>
      name === "approve_requests"
        ? (args as ApproveRequests).approvals.some((it) => it.id === id)
        : APPROVALS.has(name) && (args as ApproveRequest | GrantRequest).id === id,
    )?.id;

const APPROVALS: ReadonlySet<string> = new Set<Command["name"]>(["approve_request", "grant_request"]);

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

/** Since when the client of a request is inactive; an approval makes it active, which its undo takes back. */
const inactiveSince = ({ client }: RequestCard): { inactive_since?: string } => {
  const since = client && business().phone.client(client.id)?.client.inactive_since;
  return since ? { inactive_since: since } : {};
};

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
  const before = inactiveSince(card);
  try {
    const saving = { resolves: refusedApproval(card.id) };
    const result = await save({ name: "approve_request", args }, `Approve the request: ${subject(card)}`, saving);
    if (result.ok) {
      // A client who has left the portal since hears of it by mail at most.
      const phone = await business().wholePhone();
      const told = card.is_told ? "" : ` ${phone.toldOfChange(card.client?.id, true, canSendNow())}`;
      const undo = { label: "Undo", onAction: () => void undoApproval(card, args.service_id, before) };
      toast.success(`Walk request approved and scheduled!${told}`, undo);
    } else if (result.refusal.code === "limit_reached")
      await explainLimit(result.refusal.what, go, { text: result.text });
    else toast.error(`Failed to approve request. ${result.text}`);
  } catch {
    toast.error("Failed to approve request");
  }
}

/** Approves requests that were made at once, all of them or none, at the prices that they were asked for at. */
export async function approveAll(cards: readonly RequestCard[], go: (path: string) => void): Promise<void> {
  const [first] = cards;
  if (!first) return;
  const approvals = cards.map((it) => ({
    id: it.id,
    service_id: newId(),
    sitter_response: "",
    start_time: null,
    // The card shows what it overlaps.
    overlap_ok: it.obstacles.length > 0,
    price: it.price,
  }));
  const before = inactiveSince(first);
  try {
    const sentence = `Approve ${cards.length} requests: ${subject(first)}`;
    const saving = { resolves: cards.map((it) => refusedApproval(it.id)).find((it) => it !== undefined) };
    const result = await save({ name: "approve_requests", args: { approvals } }, sentence, saving);
    if (result.ok) {
      const phone = await business().wholePhone();
      const told = first.is_told ? "" : ` ${phone.toldOfChange(first.client?.id, true, canSendNow())}`;
      toast.success(`${cards.length} requests approved and scheduled!${told}`, {
        label: "Undo",
        onAction: () => void undoApprovals(cards, approvals, before),
      });
    } else if (result.refusal.code === "limit_reached")
      await explainLimit(result.refusal.what, go, { text: result.text });
    else toast.error(`Failed to approve the requests. ${result.text}`);
  } catch {
    toast.error("Failed to approve the requests");
  }
}

/** Takes approvals back one by one: one of which something has become meanwhile stays. */
async function undoApprovals(
  cards: readonly RequestCard[],
  approvals: readonly { id: string; service_id: string }[],
  before: { inactive_since?: string },
): Promise<void> {
  let undone = 0;
  try {
    for (const { id, service_id } of approvals) {
      const card = cards.find((it) => it.id === id);
      const command = { name: "undo_approval", args: { id, service_id, ...before } } as const;
      const result = await save(command, `Undo the approval: ${card ? subject(card) : ""}`);
      if (result.ok) undone += 1;
    }
  } catch {
    // What was saved is said below.
  }
  if (undone === approvals.length) toast.info(`The ${undone} requests wait again`);
  else toast.error(`${undone} of ${approvals.length} requests wait again. The others stay approved.`);
}

/** Takes an approval back: the request waits again, and who was told of the visit is told that. */
async function undoApproval(card: RequestCard, service_id: string, before: { inactive_since?: string }): Promise<void> {
  try {
    const command = { name: "undo_approval", args: { id: card.id, service_id, ...before } } as const;
    const result = await save(command, `Undo the approval: ${subject(card)}`);
    if (result.ok) toast.info("The request waits again");
    else toast.error(`Failed to undo the approval. ${result.text}`);
  } catch {
    toast.error("Failed to undo the approval");
  }
}

/** Takes back what the client has booked without asking: it waits as a request, and who was told of it is told that. */
export async function undoBooking(card: RequestCard, service_id: string): Promise<void> {
  try {
    const command = { name: "undo_approval", args: { id: card.id, service_id } } as const;
    const result = await save(command, `Undo the booking: ${subject(card)}`);
    if (!result.ok) return void toast.error(`Failed to undo the booking. ${result.text}`);
    const phone = await business().wholePhone();
    const told = phone.toldOfChange(card.client?.id, true, canSendNow());
    toast.info(`The booking is undone: it waits as a request. ${told}`);
  } catch {
    toast.error("Failed to undo the booking");
  }
}

/** Grants what was asked for beside a visit; what it does is said here. */
export async function grant(card: RequestCard, args: GrantRequest, go: (path: string) => void): Promise<void> {
  const command: Command = { name: "grant_request", args };
  try {
    const phone = await business().wholePhone();
    // Afterwards it is done.
    const preview = phone.previewSeries(command, Date.now());
    const undo = undoOfMove(card, phone);
    const saving = { resolves: refusedApproval(card.id) };
    const result = await save(withWaits(command, preview), `Approve the request: ${subject(card)}`, saving);
    if (result.ok) {
      const told = card.is_told ? "" : phone.toldOfChange(card.client?.id, true, canSendNow());
      toast.success(
        ["Request approved.", preview.done, told].filter(Boolean).join(" "),
        undo && { label: "Undo", onAction: () => void undo() },
      );
    } else if (result.refusal.code === "limit_reached")
      await explainLimit(result.refusal.what, go, { text: result.text });
    else toast.error(`Failed to approve request. ${result.text}`);
  } catch {
    toast.error("Failed to approve request");
  }
}

/** Returns what takes an approval back that moves a visit or a stay, computed before; nothing for another request. */
function undoOfMove(card: RequestCard, phone: Phone): (() => Promise<void>) | undefined {
  if (card.subject?.kind !== "move_service") return undefined;
  const { service_id } = card.subject;
  const visit = phone.service(service_id);
  if (!visit) return undefined;
  const { date, start_time, end_date, departure_time, overlap_ok, pricing_breakdown: price } = visit;
  const former = {
    date,
    start_time,
    ...(end_date && { end_date }),
    ...(departure_time && { departure_time }),
    ...(overlap_ok && { overlap_ok }),
    price,
  };
  const base_rev = phone.cursor();
  return async () => {
    try {
      const command = { name: "undo_approval", args: { id: card.id, service_id, former } } as const;
      const result = await save(command, `Undo the approval: ${subject(card)}`, { base_rev });
      if (result.ok) toast.info("The request waits again");
      else toast.error(`Failed to undo the approval. ${result.text}`);
    } catch {
      toast.error("Failed to undo the approval");
    }
  };
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
  toast.info(card.subject ? "Request declined" : "Walk request declined");
  return undefined;
}
