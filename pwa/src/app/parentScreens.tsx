/**
 * Owns the list of pet parents' screens: path, entry in the navigation, and what is shown there. A new screen is one entry
 * here and its file.
 */
import { CalendarPlus, House, type LucideIcon, MessageSquare, PawPrint, UserRound } from "lucide-react";
import type { ComponentType } from "react";
import AttentionScreen from "../features/attention/AttentionScreen";
import PortalAccount from "../features/portal/PortalAccount";
import PortalAsk from "../features/portal/PortalAsk";
import PortalHome from "../features/portal/PortalHome";
import PortalInvoices from "../features/portal/PortalInvoices";
import PortalPets from "../features/portal/PortalPets";
import PortalVisit from "../features/portal/PortalVisit";
import type { PendingInvite } from "../parts/account/pendingInvite";
import { loadable } from "../ui";

/** Path of a signed-in pet parent's first screen. */
export const PARENT_HOME = "/client";
export const PARENT_ATTENTION = "/client/attention";
export const PARENT_MESSAGES = "/client/messages";

export interface ParentScreenProps {
  /** Follows an invitation that the person has typed. */
  onInvite: (invite: PendingInvite) => void;
}

interface ParentScreen {
  path: string;
  /** Pattern of the rest that may follow the path, as the router writes it. */
  rest?: string;
  /** Its entry in the navigation; a screen without one is reached by links of other screens. */
  entry?: { label: string; icon: LucideIcon };
  /** Path of the screen whose entry is marked while this one is shown, if it has none of its own. */
  under?: string;
  Screen: ComponentType<ParentScreenProps>;
}

const PortalStream = loadable(() => import("../features/portal/PortalStream"));
// Sitters have the same screen in a chunk of its own.
const MessagesScreen = loadable(() => import("../features/messages/MessagesScreen"));

/** In the order of the navigation. */
export const parentScreens: readonly ParentScreen[] = [
  { path: PARENT_HOME, entry: { label: "Visits", icon: House }, Screen: PortalHome },
  { path: "/client/visits", rest: "/:id", under: PARENT_HOME, Screen: PortalVisit },
  { path: "/client/invoices", under: PARENT_HOME, Screen: PortalInvoices },
  { path: "/client/ask", entry: { label: "Request", icon: CalendarPlus }, Screen: PortalAsk },
  {
    path: PARENT_MESSAGES,
    rest: "/*?",
    entry: { label: "Messages", icon: MessageSquare },
    Screen: () => <MessagesScreen userType="client" />,
  },
  { path: "/client/pets", entry: { label: "Pets", icon: PawPrint }, Screen: PortalPets },
  { path: "/client/stream", rest: "/:id", under: "/client/pets", Screen: PortalStream },
  { path: "/client/account", entry: { label: "Account", icon: UserRound }, Screen: PortalAccount },
  { path: PARENT_ATTENTION, Screen: AttentionScreen },
];

/** Returns the path of the screen whose entry in the navigation is marked at this address. */
export function markedEntry(address: string): string | undefined {
  const shown = parentScreens.find(
    ({ path, rest }) => address === path || (rest !== undefined && address.startsWith(`${path}/`)),
  );
  return shown?.under ?? shown?.path;
}
