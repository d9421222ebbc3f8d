/** Owns the quiet signs under a header: what the person should know right now, most pressing first, never more than two. */
import {
  CircleAlert,
  ClockAlert,
  HardDrive,
  KeyRound,
  type LucideIcon,
  RefreshCw,
  UserRoundPen,
  WifiOff,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { deviceText } from "../browser/device";
import {
  type OfflineStatus,
  sendNow,
  useReplica,
  useSession,
  useStorageTrouble,
  useSyncStatus,
  useWrongClock,
} from "../data";
import { useOpenWalk } from "../data/walks/walks";
import { Banner, loadable, Optional } from "../ui";
import { useProfileReminder } from "./profileReminder";
import { isBuilt } from "./sections";
import { type UpdateState, update, useUpdate } from "./update";

// Few screens are opened in the middle of a walk.
const WalkBanner = loadable(() => import("../features/walk/WalkBanner"));

// Fewer have work that an earlier password locks.
const LockedWork = loadable(() => import("./LockedWork"));

const MOST = 2;

interface Notice {
  key: string;
  kind?: "plain" | "danger";
  Icon: LucideIcon;
  text: string;
  /** Said after it as it is, whatever the device is called. */
  more?: string;
  action?: ReactNode;
}

type Notices = (Notice | false | undefined)[];

export function Banners() {
  const status = useSyncStatus();
  const notStored = useStorageTrouble();
  const wrongClock = useWrongClock();
  const { hasLocked } = useSession();
  const newVersion = useUpdate();
  const walk = useOpenWalk();
  const [path] = useLocation();
  const profile = useReplica((phone) => (phone.hasLoaded() ? phone.profileStatus() : undefined));
  const [isReminderSnoozed, snoozeReminder] = useProfileReminder();
  const isIncomplete = profile && !(profile.hasProfile && profile.isComplete) && !isReminderSnoozed;
  const goesTo = (other: string) => isBuilt(other) && path !== other;

  const notices = [
    ...deviceNotices(status, notStored, wrongClock),
    ...unsentNotices(status, newVersion, goesTo("/attention")),
    ...versionNotices(status, newVersion),
    isIncomplete && goesTo("/profile/setup") && profileNotice(snoozeReminder),
  ];
  const shown = notices.filter((it) => typeof it === "object").slice(0, MOST);
  return (
    <>
      {walk && (
        <Optional>
          <WalkBanner />
        </Optional>
      )}
      {hasLocked && (
        <Optional>
          <LockedWork />
        </Optional>
      )}
      {shown.length > 0 && (
        <div className="grid gap-2">
          {shown.map(({ key, Icon, text, more, ...rest }) => (
            <Banner key={key} role={key === PROFILE ? undefined : "status"} icon={<Icon aria-hidden />} {...rest}>
              {deviceText(text)} {more}
            </Banner>
          ))}
        </div>
      )}
    </>
  );
}

/** `2 changes are safe on this phone`. */
const areSafe = (count: number): string => `${count === 1 ? "1 change is" : `${count} changes are`} safe on this phone`;

const button = (label: string, press: () => unknown, disabled?: boolean): ReactNode => (
  <button type="button" disabled={disabled} onClick={press}>
    {label}
  </button>
);

/** What is wrong with this device, or with who uses it. */
const deviceNotices = (
  { pending, needsAuth, storage }: OfflineStatus,
  notStored: string | undefined,
  wrongClock: string | undefined,
): Notices => [
  needsAuth && {
    key: "auth",
    Icon: KeyRound,
    text: `Signed out. ${pending > 0 ? `${areSafe(pending)}. Sign in to send.` : "Everything here stays on this phone."}`,
    action: <Link to="/auth/login?message=session_expired">Sign in</Link>,
  },
  (notStored ?? storage) !== undefined && {
    key: "storage",
    kind: "danger",
    Icon: HardDrive,
    text: notStored ?? `What changed elsewhere could not be stored. ${storage}`,
  },
  wrongClock !== undefined && {
    key: "clock",
    Icon: ClockAlert,
    text: `This phone's clock is ${wrongClock}. Times that are noted with it will be wrong.`,
  },
];

/** What keeps changes from the server. */
const unsentNotices = (
  { online, pending, attention, needsAuth, trouble, updateRequired }: OfflineStatus,
  newVersion: UpdateState,
  leadsToAttention: boolean,
): Notices => [
  updateRequired &&
    newVersion !== "blocked" && {
      key: "required",
      Icon: RefreshCw,
      text: `Update Walkies to send. ${pending > 0 ? `${areSafe(pending)}.` : ""}`,
      action: button("Update", update),
    },
  attention > 0 &&
    leadsToAttention && {
      key: "attention",
      Icon: CircleAlert,
      text: attention === 1 ? "1 change needs attention" : `${attention} changes need attention`,
      action: <Link to="/attention">Look</Link>,
    },
  !online && {
    key: "offline",
    Icon: WifiOff,
    text: `No network. ${pending > 0 ? `${areSafe(pending)}.` : "What you do is kept on this phone."}`,
  },
  online &&
    pending > 0 &&
    trouble !== undefined &&
    !needsAuth &&
    !updateRequired && {
      key: "waiting",
      Icon: WifiOff,
      text: `${areSafe(pending)} and not sent yet.`,
      more: trouble,
      action: button("Send now", sendNow),
    },
];

/** That there is a newer version. */
const versionNotices = ({ updateRequired }: OfflineStatus, newVersion: UpdateState): Notices => [
  newVersion === "blocked" && {
    key: "blocked",
    kind: "plain",
    Icon: RefreshCw,
    text: "The new version comes when the walk ends.",
  },
  (newVersion === "ready" || newVersion === "updating") &&
    !updateRequired && {
      key: "version",
      kind: "plain",
      Icon: RefreshCw,
      text: "New version ready",
      action: button("Update", update, newVersion === "updating"),
    },
];

/** It can wait, and is not read out. */
const PROFILE = "profile";

const profileNotice = (snooze: () => void): Notice => ({
  key: PROFILE,
  kind: "plain",
  Icon: UserRoundPen,
  text: "Your profile is not complete yet.",
  action: (
    <>
      <Link to="/profile/setup">Complete profile</Link>
      <button type="button" className="ml-4" onClick={snooze}>
        Later
      </button>
    </>
  ),
});
