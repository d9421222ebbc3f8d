/** Owns the index of a sitter's settings: the groups of the profile, and what each setting is found by. */
import { deviceText } from "../../browser/device";
import { matches } from "../matches";

export type GroupId =
  | "business"
  | "settings"
  | "invoices"
  | "notifications"
  | "device"
  | "plan"
  | "calendars"
  | "security"
  | "data";

/** A page of the profile. */
export interface SettingsGroup {
  id: GroupId;
  title: string;
  /** Names of the most important settings on it. */
  about: string;
  /** Ids of its sections, to which links may lead. */
  sections: readonly string[];
}

export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    id: "business",
    title: "You and your business",
    about: "Name, phone, photo, time zone, service area",
    sections: ["profile-person"],
  },
  {
    id: "settings",
    title: "Settings",
    about: "Units, times of day, light and dark",
    sections: ["profile-appearance"],
  },
  {
    id: "invoices",
    title: "Invoices and payments",
    about: "Numbers, tax, tips, reminders, cards",
    sections: ["profile-invoicing", "profile-cards"],
  },
  {
    id: "notifications",
    title: "Notifications",
    about: "What you are notified of, quiet hours",
    sections: ["profile-notifications"],
  },
  {
    id: "device",
    title: deviceText("On this phone"),
    about: "Map, storage, installing Walkies",
    sections: ["profile-start", "profile-map", "profile-storage", "profile-install"],
  },
  { id: "plan", title: "Subscription", about: "Your plan and its limits", sections: ["profile-billing"] },
  {
    id: "calendars",
    title: "Other calendars",
    about: "Show your schedule in another calendar app",
    sections: ["profile-calendar"],
  },
  {
    id: "security",
    title: "Account and sign-in",
    about: "Password, two-step sign-in, devices, deleting",
    sections: ["profile-account", "profile-factors", "profile-devices"],
  },
  { id: "data", title: "Your data", about: "Export, import, clear", sections: ["profile-data"] },
];

/** The page that a link leads to, by its own id or that of one of its sections. */
export const groupAt = (anchor: string): SettingsGroup | undefined =>
  SETTINGS_GROUPS.find((it) => it.id === anchor || it.sections.includes(anchor));

/** A setting that a search finds. */
export interface Setting {
  label: string;
  /** Title of its page. */
  group: string;
  path: string;
}

/** Labels by section; words in parentheses are found, too. */
const LABELS: Record<string, readonly string[]> = {
  "profile-person": [
    "Your name",
    "Business name",
    "Phone number",
    "Profile photo (picture logo)",
    "Time zone",
    "Service area (where you work radius position)",
  ],
  "profile-appearance": [
    "Units (miles kilometers pounds)",
    "Times of day (12 24 hours clock)",
    "Clients see when you come (on my way)",
    "Mail reports to clients",
    "Mail visits to clients outside the portal (booked moved cancelled email)",
    "Theme (dark light mode)",
    "Navigate with (Google Apple maps directions)",
  ],
  "profile-invoicing": [
    "Invoice numbers (prefix)",
    "Due date of invoices",
    "Business address and tax number (VAT)",
    "Email on invoices",
    "Venmo, PayPal and other payment links (Zelle Cash App)",
    "Bank account (IBAN routing)",
    "Payment terms",
    "Sales tax (rates VAT)",
    "Tips",
    "Mail invoices to clients",
    "Bill each month by itself (automatic monthly billing)",
    "Payment reminders",
  ],
  "profile-cards": ["Card payments (Stripe credit)"],
  "profile-notifications": ["Notifications (push alerts)", "Quiet hours (do not disturb)"],
  "profile-map": [deviceText("Map on this phone (offline download)")],
  "profile-storage": ["Storage (space)", "Export walks (GPX)"],
  "profile-install": ["Install Walkies (home screen app)"],
  "profile-billing": ["Subscription (plan billing upgrade)"],
  "profile-calendar": ["Other calendars (Google Apple Outlook ICS feed)"],
  "profile-account": ["Change password", "Delete account"],
  "profile-factors": ["Two-step sign-in (2FA authenticator)", "Recovery codes"],
  "profile-devices": ["Devices (sign out others sessions)"],
  "profile-data": ["Export everything (backup archive)", "Import an archive (restore)", "Clear my business (reset)"],
};

/** Settings that have their place beside what they are about. */
const ELSEWHERE: readonly { label: string; group: string; path: string }[] = [
  { label: "Weekly hours (availability patterns)", group: "Schedule", path: "/scheduling?view=availability" },
  { label: "Slot settings (buffer)", group: "Schedule", path: "/scheduling?view=availability&tab=settings" },
  { label: "Services and prices (rates offerings)", group: "Services", path: "/services" },
];

const ALL: readonly Setting[] = [
  ...SETTINGS_GROUPS.flatMap(({ title, sections }) =>
    sections.flatMap((section) =>
      (LABELS[section] ?? []).map((label) => ({ label, group: title, path: `/profile#${section}` })),
    ),
  ),
  ...ELSEWHERE,
];

/** Settings whose label, or a word that people have for it, begins with each word of the text. */
export const findSettings = (text: string): Setting[] =>
  text.trim() === ""
    ? []
    : ALL.filter((it) => matches(it.label, text)).map((it) => ({ ...it, label: it.label.replace(/ \(.*\)$/, "") }));
