/**
 * Owns 'Fix and resend': which screen's form a change can be mended in, and what that form then begins with.
 * A form asks `useFix` for the stored arguments and passes `resolves` to `save`; nothing else removes the entry.
 */
import { useSearchParams } from "wouter";
import type { AttentionItem, Command, Refusal } from "../../core";
import { business, useFirstReplica } from "../../data";

const PARAM = "fix";

/** An entry of Needs attention that is being mended in a form. */
export interface Fix<N extends Command["name"]> {
  /** For `save` as `resolves`, and for a draft's key. */
  id: string;
  /** The refused command, which the form begins with. */
  command: Extract<Command, { name: N }>;
  /** Why it was turned down. */
  refusal: Refusal | null;
  /** The revision that the person had seen then. */
  base_rev: number;
  /** Photos that it names; `useFixPhotos` finds those that still wait. */
  photos: readonly string[];
}

/** The entry that the address names, if it is about one of these commands; and how to leave it. */
export function useFix<N extends Command["name"]>(...names: N[]): { fix: Fix<N> | undefined; leaveFix: () => void } {
  const [params, setParams] = useSearchParams();
  const id = params.get(PARAM);
  const fix = useFirstReplica((phone): Fix<N> | undefined => {
    if (!id) return undefined;
    const found = phone.attention().find((it) => it.entry.mutation.id === id);
    if (!found || !names.some((name) => name === found.entry.mutation.name)) return undefined;
    const { name, args, base_rev } = found.entry.mutation;
    return {
      id,
      command: { name, args } as Extract<Command, { name: N }>,
      refusal: found.outcome.refusal ?? null,
      base_rev,
      photos: found.entry.photos ?? [],
    };
  });
  const leaveFix = () => {
    const next = new URLSearchParams(params);
    next.delete(PARAM);
    setParams(next, { replace: true });
  };
  return { fix, leaveFix };
}

/** Returns the address of the form in which a refused change can be mended; nothing where no form mends it. */
export function fixPath({ id, command, has_form }: AttentionItem): string | undefined {
  const forms: FormsByCommand = business().store.place ? PARENTS_FORMS : FORMS;
  const screen = command?.name === "share_walk" ? `/walks/${command.args.id}` : command && forms[command.name];
  if (!screen || !has_form) return undefined;
  return `${screen}${screen.includes("?") ? "&" : "?"}${PARAM}=${id}`;
}

type FormsByCommand = Partial<Record<Command["name"], string>>;

const PARENTS_FORMS: FormsByCommand = {
  ask_for_service: "/client/ask",
  update_client: "/client/pets",
};

/**
 * Commands that `FORMS` leaves out: no form of a sitter mends them. The form of `share_walk` is at the walk's own address.
 */
type WithoutForm =
  | "settle_text"
  | "delete_client"
  | "import_clients"
  | "undo_import"
  | "delete_offering"
  | "reorder_offerings"
  | "complete_service"
  | "cancel_service"
  | "reopen_service"
  | "record_service"
  | "delete_service"
  | "move_services"
  | "mark_services"
  | "copy_services"
  | "undo_copy"
  | "leave_out_date"
  | "pause_series"
  | "resume_series"
  | "end_series"
  | "change_trip"
  | "settle_series_dates"
  | "restore_series"
  | "make_series_date"
  | "delete_series"
  | "extend_series"
  | "mark_progress"
  | "announce_delay"
  | "take_back_delay"
  | "move_visits"
  | "set_service_paid"
  | "delete_pattern"
  | "delete_blocked_time"
  | "undo_time_off"
  | "share_walk"
  | "unshare_walk"
  | "decline_request"
  | "undo_approval"
  | "unlink_client"
  | "ask_for_service"
  | "ask_for_change"
  | "withdraw_request"
  | "start_conversation"
  | "send_message"
  | "mark_conversation_read"
  | "set_conversation_archived"
  | "delete_message"
  | "record_invoice_payment"
  | "remove_invoice_payment"
  | "settle_overpayment"
  | "record_invoice_refund"
  | "remove_invoice_refund"
  | "delete_invoice"
  | "restore_invoice"
  | "credit_invoice"
  | "remind_of_invoice"
  | "mark_passed_on"
  | "delete_expense"
  | "deactivate_client"
  | "activate_client"
  | "mark_pet_gone"
  | "restore_pet"
  | "reprice_services"
  | "restore_prices"
  | "record_payments"
  | "set_written_off"
  | "send_live";

/** By command, the screen whose form takes it by `useFix`. */
const FORMS: Record<Exclude<Command["name"], WithoutForm>, string> = {
  create_client: "/clients",
  restore_client: "/clients",
  update_client: "/clients",
  create_offering: "/services",
  update_offering: "/services",
  schedule_service: "/scheduling",
  update_service: "/scheduling",
  create_series: "/scheduling",
  change_series: "/scheduling",
  create_pattern: "/scheduling?view=availability",
  update_pattern: "/scheduling?view=availability",
  create_blocked_time: "/scheduling?view=availability",
  take_time_off: "/scheduling?view=availability",
  update_availability_config: "/scheduling?view=availability",
  update_profile: "/profile",
  approve_request: "/requests?status=pending",
  approve_requests: "/requests?status=pending",
  grant_request: "/requests?status=pending",
  share_invoice: "/invoices",
  create_expense: "/expenses",
  update_expense: "/expenses",
};
