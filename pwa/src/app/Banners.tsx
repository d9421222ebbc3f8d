/** Owns the quiet signs under a header: what the person should know right now, most pressing first, never more than two. */
import {
  CalendarClock,
  CircleAlert,
  ClockAlert,
  Files,
  HardDrive,
  KeyRound,
  RefreshCw,
  Send,
  UserRoundPen,
  WifiOff,
} from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { Link, useLocation } from "wouter";
import { useMinute } from "../browser/clock";
import { deviceText } from "../browser/device";
import { limits } from "../core";
import {
  sendNow,
  useFirstRead,
  useFirstReplica,
  useSession,
  useStorageTrouble,
  useSyncStatus,
  useWrongClock,
} from "../data";
import { useHasLiveMapEnds, useOpenWalk } from "../data/walks/walks";
import { datesToDecide } from "../parts/visit/SeriesSigns";
import { Banner, ErrorBoundary, loadable } from "../ui";
import { useProfileReminder } from "./profileReminder";
import { update, useUpdate } from "./update";

// Few screens are opened in the middle of a walk.
const WalkBanner = loadable(() => import("../features/walk/WalkBanner"));

// After a reload without a network, for half an hour.
const LiveMapEnds = loadable(() => import("../features/walk/LiveMapEnds"));

// Fewer have work that an earlier password locks.
const LockedWork = loadable(() => import("./LockedWork"));

const MOST = 2;

const safeHere = (count: number): string =>
  count === 1 ? "1 change is safe on this phone" : `${count} changes are safe on this phone`;

/** Nothing is promised of a phone that does not store what is done. */
function withoutConnection(why: string, pending: number, isNotStored: boolean): string {
  if (pending > 0) return deviceText(`${why}. ${safeHere(pending)}.`);
  return isNotStored ? `${why}.` : deviceText(`${why}. What you do is kept on this phone.`);
}

interface BannersProps {
  /**
   * The path of the list of changes that were turned down. A pet parent has a place of their own for it, and no profile
   * to complete.
   */
  attentionPath?: string;
}

export function Banners({ attentionPath = "/attention" }: BannersProps) {
  const { unreachable, pending, attention, needsAuth, trouble, storage, updateRequired } = useSyncStatus();
  const notStored = useStorageTrouble();
  const wrongClock = useWrongClock();
  const { hasLocked } = useSession();
  const newVersion = useUpdate();
  const walk = useOpenWalk();
  const hasLiveMapEnds = useHasLiveMapEnds();
  const [path] = useLocation();
  const hasProfile = attentionPath === "/attention";
  const profile = useFirstReplica((phone) => (hasProfile && phone.hasLoaded() ? phone.profileStatus() : undefined));
  const choices = useFirstReplica((phone) => phone.textChoices());
  const [choice] = choices;
  const choicePath = hasProfile ? `/clients/${choice?.client_id}` : "/client/pets";
  const now = useMinute();
  const toSend = useFirstRead((phone) => (hasProfile ? phone.toSendCount(now) : 0), hasProfile, now);
  const toDecide = useFirstRead((phone) => (hasProfile ? phone.waitingSeriesCount(now) : 0), hasProfile, now);
  const [isReminderSnoozed, snoozeReminder] = useProfileReminder();

  const safe = safeHere(pending);
  const isUnsent = unreachable !== undefined || (pending > 0 && trouble !== undefined && !needsAuth && !updateRequired);

  const banners: (ReactNode | false | undefined)[] = [
    needsAuth && (
      <Banner
        key="auth"
        role="status"
        icon={<KeyRound aria-hidden />}
        action={<Link to="/auth/login?message=session_expired">Sign in</Link>}
      >
        {pending > 0
          ? deviceText(`Signed out. ${safe}. Sign in to send.`)
          : attention > 0
            ? deviceText("Signed out. What needs attention stays on this phone.")
            : deviceText(
                `Signed out. This phone deletes its copy of your data the next time Walkies opens with a network, or after ${limits().offline_grace_days} days.`,
              )}
      </Banner>
    ),
    (notStored ?? storage) !== undefined && (
      <Banner key="storage" kind="danger" role="status" icon={<HardDrive aria-hidden />}>
        {notStored ?? `Changes from elsewhere could not be stored. ${storage}`}
      </Banner>
    ),
    wrongClock !== undefined && (
      <Banner key="clock" role="status" icon={<ClockAlert aria-hidden />}>
        {deviceText(`This phone's clock is ${wrongClock}. Times you record will be wrong.`)}
      </Banner>
    ),
    updateRequired && newVersion !== "blocked" && (
      <Banner
        key="required"
        role="status"
        icon={<RefreshCw aria-hidden />}
        action={
          <button type="button" onClick={() => void update()}>
            Update
          </button>
        }
      >
        Update Walkies to send. {pending > 0 && deviceText(`${safe}.`)}
      </Banner>
    ),
    attention > 0 && path !== attentionPath && (
      <Banner
        key="attention"
        role="status"
        icon={<CircleAlert aria-hidden />}
        action={<Link to={attentionPath}>Review</Link>}
      >
        {attention === 1 ? "1 change needs attention" : `${attention} changes need attention`}
      </Banner>
    ),
    choice && path !== choicePath && (
      <Banner key="texts" role="status" icon={<Files aria-hidden />} action={<Link to={choicePath}>Decide</Link>}>
        {choices.length > 1 ? (
          `${choices.length} texts have more than one version`
        ) : (
          <>
            <bdi>{choice.subject}</bdi>: {choice.label}, {choice.others.length + 1} versions to choose from
          </>
        )}
      </Banner>
    ),
    isUnsent && (
      <Banner
        key="unsent"
        role="status"
        icon={<WifiOff aria-hidden />}
        action={
          <button type="button" onClick={sendNow}>
            {unreachable ? "Try now" : "Send now"}
          </button>
        }
      >
        {unreachable
          ? withoutConnection(unreachable, pending, notStored !== undefined)
          : `${deviceText(`${safe} and not sent yet.`)} ${trouble}`}
      </Banner>
    ),
    newVersion === "blocked" && (
      <Banner key="blocked" kind="plain" role="status" icon={<RefreshCw aria-hidden />}>
        The new version waits until the walk ends.
      </Banner>
    ),
    (newVersion === "ready" || newVersion === "updating") && !updateRequired && (
      <Banner
        key="version"
        kind="plain"
        role="status"
        icon={<RefreshCw aria-hidden />}
        action={
          <button type="button" disabled={newVersion === "updating"} onClick={() => void update()}>
            Update
          </button>
        }
      >
        New version ready
      </Banner>
    ),
    toDecide > 0 && path !== attentionPath && (
      <Banner
        key="dates"
        kind="plain"
        role="status"
        icon={<CalendarClock aria-hidden />}
        action={<Link to={attentionPath}>Decide</Link>}
      >
        {datesToDecide(toDecide)}
      </Banner>
    ),
    // Elsewhere the menu counts it.
    toSend > 0 && path === "/scheduling" && (
      <Banner
        key="to-send"
        kind="plain"
        role="status"
        icon={<Send aria-hidden />}
        action={<Link to="/to-send">To send</Link>}
      >
        {toSend === 1 ? "You have 1 thing to send to a client" : `You have ${toSend} things to send to clients`}
      </Banner>
    ),
    profile && (!profile.hasProfile || !profile.isComplete) && !isReminderSnoozed && path !== "/profile/setup" && (
      <Banner
        key="profile"
        kind="plain"
        icon={<UserRoundPen aria-hidden />}
        action={
          <>
            <Link to="/profile/setup">Complete profile</Link>
            <button type="button" onClick={snoozeReminder}>
              Later
            </button>
          </>
        }
      >
        Your profile is not complete yet.
      </Banner>
    ),
  ];
  const shown = banners.filter(Boolean).slice(0, MOST);
  return (
    <>
      {walk && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <WalkBanner />
          </Suspense>
        </ErrorBoundary>
      )}
      {hasLiveMapEnds && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <LiveMapEnds />
          </Suspense>
        </ErrorBoundary>
      )}
      {hasLocked && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <LockedWork />
          </Suspense>
        </ErrorBoundary>
      )}
      {shown.length > 0 && <div className="grid gap-2">{shown}</div>}
    </>
  );
}
