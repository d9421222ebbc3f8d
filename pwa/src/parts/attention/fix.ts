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
  const forms = business().store.place ? PARENTS_FORMS : FORMS;
  const screen = command?.name === "share_walk" ? `/walks/${command.args.id}` : command && forms[command.name];
  if (!screen || !has_form) return undefined;
  return `${screen}${screen.includes("?") ? "&" : "?"}${PARAM}=${id}`;
}

const PARENTS_FORMS: Partial<Record<Command["name"], string>> = {
  ask_for_service: "/client/ask",
  update_client: "/client/pets",
};

const FORMS: Partial<Record<Command["name"], string>> = {
  create_client: "/clients",
  restore_client: "/clients",
  update_client: "/clients",
  create_offering: "/services",
  update_offering: "/services",
  schedule_service: "/scheduling",
  update_service: "/scheduling",
  create_pattern: "/scheduling?view=availability",
  update_pattern: "/scheduling?view=availability",
  create_blocked_time: "/scheduling?view=availability",
  update_availability_config: "/scheduling?view=availability",
  update_profile: "/profile",
  approve_request: "/requests?status=pending",
  share_invoice: "/invoices",
  create_expense: "/expenses",
  update_expense: "/expenses",
};
