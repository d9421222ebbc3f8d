/**
 * Owns what of the messages' section stands in the address: the open conversation, which of its messages was looked for, the
 * tab, and the list of contacts.
 */
import { useLocation, useRoute, useSearchParams } from "wouter";
import { addressId, type ConversationCard } from "../../core";
import { NOTIFICATIONS } from "../../parts/notifications/anchor";
import { goBack, useStep } from "../../ui";

/** Who looks at messages. */
export type UserType = "sitter" | "client";

const BASE: Record<UserType, string> = { sitter: "/messages", client: "/client/messages" };

/** One conversation; its id is its client's. */
export const conversationPath = (userType: UserType, id: string): string => `${BASE[userType]}/${id}`;

export type ListTab = "inbox" | "archived";

/** The contacts in place of the conversations: to look for somebody, or to look through them. */
export type Starting = "search" | "browse";

export interface MessagesAddress {
  /** Id of the open conversation. */
  id: string | undefined;
  /** Id of the message at which it opens. */
  message: string | undefined;
  tab: ListTab;
  starting: Starting | undefined;
  setTab: (tab: ListTab) => void;
  start: (how: Starting) => void;
  open: (id: string) => void;
  /** Back to the conversations, from one of them or from the contacts. */
  leave: () => void;
  /** Address of the settings for notifications. */
  notifications: string;
  pathOf: (card: Pick<ConversationCard, "id" | "found">) => string;
}

export function useMessagesAddress(userType: UserType): MessagesAddress {
  const base = BASE[userType];
  const [, found] = useRoute(`${base}/:id`);
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const step = useStep();
  const tab: ListTab = params.get("tab") === "archived" ? "archived" : "inbox";
  const inTab = tab === "inbox" ? undefined : tab;
  const starting = params.get("new");
  return {
    id: addressId(found?.id),
    message: addressId(params.get("message")),
    tab,
    starting: starting === "search" || starting === "browse" ? starting : undefined,
    setTab: (tab) => navigate(withQuery(base, { tab: tab === "inbox" ? undefined : tab }), { replace: true }),
    start: (how) => navigate(`${base}?new=${how}`, { state: { above: true } }),
    open: (id) => navigate(conversationPath(userType, id), { replace: starting !== null }),
    leave: () => (step?.above ? goBack() : navigate(withQuery(base, { tab: inTab }), { replace: true })),
    notifications: `${userType === "sitter" ? "/profile" : "/client/account"}#${NOTIFICATIONS}`,
    pathOf: ({ id, found }) => withQuery(conversationPath(userType, id), { tab: inTab, message: found }),
  };
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const said = Object.entries(query).filter((it): it is [string, string] => it[1] !== undefined);
  return said.length > 0 ? `${path}?${new URLSearchParams(said)}` : path;
}
