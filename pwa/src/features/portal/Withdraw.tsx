/** Owns taking back what a pet parent has asked for. */
import { Trash2, Undo2 } from "lucide-react";
import type { RequestCard } from "../../core";
import { business, canSendNow, save } from "../../data";
import { Button, confirm, toast } from "../../ui";

/** A request, as far as taking it back says it. */
type Withdrawable = Pick<RequestCard, "id" | "called" | "is_past"> & Partial<Pick<RequestCard, "books_when_sent">>;

/** Button that takes a request back. A past one, which nobody will answer any more, is only removed. */
export function Withdraw({ request, className }: { request: Withdrawable; className?: string }) {
  const Icon = request.is_past ? Trash2 : Undo2;
  return (
    <Button
      kind="plain"
      className={className}
      icon={<Icon aria-hidden className="size-5" />}
      onClick={() => void withdraw(request)}
    >
      {request.is_past ? "Remove" : "Withdraw"}
    </Button>
  );
}

function wordsFor({ id, is_past, books_when_sent }: Withdrawable) {
  if (is_past) return REMOVAL;
  // It is sent before this, and an open time is booked as it arrives.
  if (business().phone.isPending("walk_request", id)) return books_when_sent ? BOOKED_WITHDRAWAL : WITHDRAWAL;
  return canSendNow() ? WITHDRAWAL : LATE_WITHDRAWAL;
}

async function withdraw(request: Withdrawable): Promise<void> {
  const { id, called } = request;
  const { act, text, done } = wordsFor(request);
  const question = {
    title: `${act} this request?`,
    text: `${called}. ${text}`,
    action: act,
    cancel: "Keep it",
    danger: true,
  };
  if (!(await confirm(question))) return;
  try {
    const result = await save({ name: "withdraw_request", args: { id } }, `${act} the request: ${called}`);
    if (result.ok) toast.info(done);
    else toast.error(result.text);
  } catch {
    toast.error(`Failed to ${act.toLowerCase()} the request`);
  }
}

const REMOVAL = { act: "Remove", text: "It was not answered, and its day is over.", done: "Request removed" };
const WITHDRAWAL = { act: "Withdraw", text: "Your sitter will no longer see this request.", done: "Request withdrawn" };
const LATE_WITHDRAWAL = {
  act: "Withdraw",
  text: "Your sitter will see it once it is sent. If they approve it before that, their answer counts, and we'll let you know.",
  done: "Withdrawn here. Your sitter will see it once it is sent.",
};
const BOOKED_WITHDRAWAL = {
  act: "Withdraw",
  text: "The request is sent first, and an open time is booked at once. Then the visit stays booked, and you can ask your sitter to cancel it.",
  done: "Withdrawn here. If the visit is booked first, it stays booked.",
};
