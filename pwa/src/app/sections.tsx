/**
 * Owns the list of all sections: path, names, icon, place in the navigation, and the file of the screen (SPEC 2).
 * A new section is one entry here and its file.
 */
import {
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  CreditCard,
  Footprints,
  Inbox,
  type LucideIcon,
  MessageSquare,
  ReceiptText,
  Route,
  Send,
  Tag,
  UserRound,
  UsersRound,
  Wallet,
} from "lucide-react";
import type { ComponentType } from "react";
import { withRest } from "../core";
import { type Loadable, loadable } from "../ui";

/**
 * How a section is reached. `bar`: by the phone's bottom bar, which has room for `BAR_ROOM` of them, and by all menus.
 * `menu`: by all menus. `links`: only by links of other screens.
 */
type MenuPlace = "bar" | "menu" | "links";

/**
 * `page` scrolls with the window. `fixed` is exactly as high as the window and scrolls inside itself.
 * `bare` has the whole window, without navigation.
 */
type Frame = "page" | "fixed" | "bare";

/** Path of a signed-in sitter's first screen. */
export const HOME = "/scheduling";

/** Path of the setup that leads a new sitter to a calendar that can be used. */
export const SETUP = "/profile/setup";

interface SectionEntry {
  path: string;
  /** Its word in the navigation. */
  label: string;
  /** In the header while it loads, and in its error screen. */
  title: string;
  icon: LucideIcon;
  place: MenuPlace;
  frame: Frame;
  /** Fetches the screen: a file of `features` with a default export. */
  load: () => Promise<{ default: ComponentType }>;
  /** Counts that stand at its icon, as one number. */
  badge?: readonly ("requests" | "attention" | "overdue" | "messages" | "clients" | "toSend" | "toDecide")[];
}

export interface Section extends SectionEntry {
  Screen: Loadable<object>;
}

const ENTRIES: SectionEntry[] = [
  {
    path: "/scheduling",
    label: "Schedule",
    title: "Schedule",
    icon: CalendarDays,
    place: "bar",
    frame: "fixed",
    load: () => import("../features/scheduling/SchedulingScreen"),
    badge: ["overdue", "attention", "toDecide"],
  },
  {
    path: "/requests",
    label: "Requests",
    title: "Requests",
    icon: Inbox,
    place: "bar",
    frame: "page",
    load: () => import("../features/requests/RequestsScreen"),
    badge: ["requests"],
  },
  {
    path: "/messages",
    label: "Messages",
    title: "Messages",
    icon: MessageSquare,
    place: "bar",
    frame: "fixed",
    load: () => import("../features/messages/MessagesScreen"),
    badge: ["messages"],
  },
  {
    path: "/clients",
    label: "Clients",
    title: "Clients & Pets",
    icon: UsersRound,
    place: "bar",
    frame: "page",
    load: () => import("../features/clients/ClientsScreen"),
    badge: ["clients"],
  },
  {
    path: "/services",
    label: "Services",
    title: "Services",
    icon: Tag,
    place: "bar",
    frame: "page",
    load: () => import("../features/services/ServicesScreen"),
  },
  {
    path: "/routes",
    label: "Routes",
    title: "Routes",
    icon: Route,
    place: "menu",
    frame: "fixed",
    load: () => import("../features/routes/RoutesScreen"),
  },
  {
    path: "/walks",
    label: "Walks",
    title: "Walks",
    icon: Footprints,
    place: "menu",
    frame: "page",
    load: () => import("../features/walk/WalksScreen"),
  },
  {
    path: "/invoices",
    label: "Invoices",
    title: "Invoices",
    icon: ReceiptText,
    place: "menu",
    frame: "page",
    load: () => import("../features/invoices/InvoicesScreen"),
  },
  {
    path: "/expenses",
    label: "Expenses",
    title: "Mileage & Expenses",
    icon: Wallet,
    place: "menu",
    frame: "page",
    load: () => import("../features/expenses/ExpensesScreen"),
  },
  {
    path: "/analytics",
    label: "Analytics",
    title: "Analytics",
    icon: ChartNoAxesColumn,
    place: "menu",
    frame: "page",
    load: () => import("../features/analytics/AnalyticsScreen"),
  },
  {
    path: "/profile",
    label: "Profile",
    title: "Profile",
    icon: UserRound,
    place: "menu",
    frame: "page",
    load: () => import("../features/profile/ProfileScreen"),
  },
  {
    path: SETUP,
    label: "Complete profile",
    title: "Complete your profile",
    icon: UserRound,
    place: "links",
    frame: "page",
    load: () => import("../features/profile/ProfileSetupScreen"),
  },
  {
    path: "/clients/import",
    label: "Import clients",
    title: "Import clients",
    icon: UsersRound,
    place: "links",
    frame: "page",
    load: () => import("../features/clients/ImportScreen"),
  },
  {
    path: "/scheduling/import",
    label: "Import a schedule",
    title: "Import a schedule",
    icon: CalendarDays,
    place: "links",
    frame: "page",
    load: () => import("../features/scheduling/import/ImportScheduleScreen"),
  },
  {
    path: "/attention",
    label: "Needs attention",
    title: "Needs attention",
    icon: CircleAlert,
    place: "links",
    frame: "page",
    load: () => import("../features/attention/AttentionScreen"),
  },
  {
    path: "/to-send",
    label: "To send",
    title: "To send",
    icon: Send,
    place: "links",
    frame: "page",
    load: () => import("../features/toSend/ToSendScreen"),
    badge: ["toSend"],
  },
  {
    path: "/billing",
    label: "Billing",
    title: "Billing",
    icon: CreditCard,
    place: "links",
    frame: "page",
    load: () => import("../features/billing/BillingScreen"),
  },
  {
    path: "/way",
    label: "Directions",
    title: "Directions",
    icon: Route,
    place: "links",
    frame: "bare",
    load: () => import("../features/routes/WayScreen"),
  },
  {
    path: "/walk",
    label: "Active walk",
    title: "Active walk",
    icon: Footprints,
    place: "links",
    frame: "bare",
    load: () => import("../features/walk/ActiveWalkScreen"),
  },
];

/** All sections, in the order of the navigation. */
export const sections: readonly Section[] = ENTRIES.map((entry) => {
  const { path, load } = entry;
  // Most begin with the schedule, which does not wait for the rest of the core.
  const Screen = path === HOME ? loadable(load) : loadable(() => withRest(load()));
  return { ...entry, Screen };
});

/** The section that a path leads to, or into. */
export const sectionAt = (path: string): Section | undefined =>
  sections.find((it) => it.path === path) ?? sections.find((it) => path.startsWith(`${it.path}/`));

/** Fetches the screen of a path ahead. */
export const preloadScreen = (path: string): Promise<unknown> | undefined =>
  (sectionAt(path) ?? sectionAt(HOME))?.Screen.preload();

/** How many fit into the phone's bottom bar beside More. */
const BAR_ROOM = 4;

export const barSections = sections.filter((it) => it.place === "bar").slice(0, BAR_ROOM);
export const menuSections = sections.filter((it) => it.place !== "links");
