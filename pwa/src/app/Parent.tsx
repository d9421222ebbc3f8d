/**
 * Owns the pet parents' app: which of their sitters is shown, and what is around every screen.
 * It is loaded by nobody else.
 */
import { ChevronsUpDown, CircleAlert } from "lucide-react";
import { Suspense, useEffect, useMemo, useState } from "react";
import { Link, Redirect, Route, Switch, useLocation, useSearchParams } from "wouter";
import { whenIdle } from "../browser/idle";
import { setBadge } from "../browser/notifications";
import { useBusinessIsOpen, useReplica } from "../data";
import { type Standing, standingOf } from "../data/portal/others";
import { chooseSitter, type Portal, startPortal, useIsFollowing, usePortal } from "../data/portal/portal";
import AttentionScreen from "../features/attention/AttentionScreen";
import { Linking } from "../features/portal/Linking";
import { HasLeft, NoSitter, Parting } from "../features/portal/NoSitter";
import { shownName } from "../features/portal/ownClient";
import { useReportsAhead } from "../features/portal/reports";
import { inviteIn, pendingInvite } from "../parts/account/pendingInvite";
import { SignOutDialog } from "../parts/account/SignOut";
import { SwitchItem } from "../parts/account/SwitchRole";
import {
  Badge,
  Button,
  cx,
  ErrorBoundary,
  FeatureError,
  HeaderFrameProvider,
  Menu,
  SkeletonCards,
  Spinner,
  toast,
} from "../ui";
import { Logo } from "../ui/Logo";
import { Banners } from "./Banners";
import { BAR_ITEM } from "./NavItem";
import {
  markedEntry,
  PARENT_ATTENTION,
  PARENT_HOME,
  PARENT_MESSAGES,
  type ParentScreenProps,
  parentScreens,
} from "./parentScreens";
import { StatusStrip, useInSight } from "./StatusStrip";
import { useKeepStorage } from "./useKeepStorage";

export default function Parent() {
  const [query] = useSearchParams();
  const wanted = query.get("client_id");
  const portal = usePortal();
  const isOpen = useBusinessIsOpen();
  const isFollowing = useIsFollowing(wanted);
  const [invite, setInvite] = useState(() => inviteIn(query) ?? pendingInvite());
  useKeepStorage(false);
  // Once; what the address says later is a link within the app.
  useEffect(() => void startPortal(wanted), [wanted]);

  if (invite) return <Linking invite={invite} onDone={() => setInvite(undefined)} />;
  if (portal.isParting && isOpen) return <Parting attention={<AttentionScreen />} />;
  if (portal.open && isOpen && !isFollowing) return <Shell key={portal.open.client_id} onInvite={setInvite} />;
  if (portal.isKnown ? portal.sitters.length === 0 : portal.trouble !== undefined) {
    return <NoSitter onInvite={setInvite} />;
  }
  return (
    <main className="grid min-h-dvh place-content-center text-ink-3">
      <Spinner />
    </main>
  );
}

function Shell({ onInvite }: ParentScreenProps) {
  const [path] = useLocation();
  const attention = useReplica((phone) => phone.attentionCount());
  const unread = useReplica((phone) => phone.unreadMessages());
  const elsewhere = newsElsewhere(usePortal());
  useEffect(() => setBadge(attention + unread + elsewhere), [attention, unread, elsewhere]);
  const { ref, inSight } = useInSight();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [path]);
  useEffect(keepNotificationsAhead, []);
  // They would act on what is open next: another sitter, or the own business.
  useEffect(() => toast.clearActions, []);
  useReportsAhead();
  const frame = useMemo(() => {
    const banners = (
      <div ref={ref} className="grid grid-cols-1 gap-3 empty:hidden">
        <HasLeft />
        <Banners attentionPath={PARENT_ATTENTION} />
      </div>
    );
    return { tools: <SitterMenu />, banners };
  }, [ref]);
  return (
    <HeaderFrameProvider value={frame}>
      <a
        href="#content"
        className="fixed top-2 left-2 z-20 -translate-y-20 print:hidden rounded-large bg-act px-4 py-3 font-bold text-on-act focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <Navigation attention={attention} unread={unread} hasStatus={!inSight} />
      <main
        id="content"
        tabIndex={-1}
        className="pt-safe relative min-h-dvh pb-[calc(72px+var(--status,0px)+env(safe-area-inset-bottom))] outline-none md:ml-64 md:pb-0 print:ml-0! print:p-0"
      >
        <ErrorBoundary key={path} fallback={() => <FeatureError feature="Portal" />}>
          <Suspense fallback={<SkeletonCards count={3} />}>
            <Screens onInvite={onInvite} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <SignOutDialog />
    </HeaderFrameProvider>
  );
}

/** Loaded when the app rests, and only where they are allowed. */
const keepNotificationsAhead = () =>
  whenIdle(() => {
    if (globalThis.Notification?.permission !== "granted") return;
    void import("../features/notifications/ahead").then((it) => it.keepNotifications());
  });

function Screens({ onInvite }: ParentScreenProps) {
  return (
    <Switch>
      {parentScreens.map(({ path, rest = "", Screen }) => (
        <Route key={path} path={path + rest}>
          <Screen onInvite={onInvite} />
        </Route>
      ))}
      <Route>
        <Redirect to={PARENT_HOME} replace />
      </Route>
    </Switch>
  );
}

interface NavigationProps {
  /** How many changes need a word. */
  attention: number;
  unread: number;
  /** The banners are out of sight, so their news stand here. */
  hasStatus: boolean;
}

/** Below, where the thumb is; on a desktop at the side. */
function Navigation({ attention, unread, hasStatus }: NavigationProps) {
  const [path] = useLocation();
  const marked = markedEntry(path);
  return (
    <nav
      aria-label="Main"
      className={cx(
        "fixed inset-x-0 bottom-0 z-10 flex flex-wrap gap-1 border-t border-line bg-card px-2 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))] print:hidden",
        "md:top-0 md:right-auto md:w-64 md:flex-col md:flex-nowrap md:border-t-0 md:border-r md:p-2",
      )}
    >
      <Link
        to="/client"
        aria-label="Walkies, your visits"
        className="flex h-16 items-center gap-3 rounded-large px-[6px] max-md:hidden"
      >
        <Logo className="size-9 shrink-0" />
        <span className="text-20 font-bold">Walkies</span>
      </Link>
      {hasStatus && <StatusStrip />}
      {parentScreens.map(({ path: to, entry }) => {
        if (!entry) return null;
        const { label, icon: Icon } = entry;
        const isHere = to === marked;
        return (
          <Link
            key={to}
            to={to}
            aria-current={isHere ? "page" : undefined}
            className={cx(
              BAR_ITEM,
              "md:flex md:h-12 md:flex-none md:content-normal md:items-center md:justify-start md:gap-3 md:px-3 md:text-16 md:hover:bg-sunken",
              isHere ? "font-bold text-ink md:bg-sunken [&>svg]:stroke-[2.4]" : "font-medium text-ink-2",
            )}
          >
            <Icon aria-hidden className="size-[22px]" />
            {label}
            {to === PARENT_MESSAGES && (
              <Badge
                count={unread}
                label={unread === 1 ? "unread message" : "unread messages"}
                className="absolute top-1 left-[calc(50%+6px)] md:static md:ml-auto"
              />
            )}
          </Link>
        );
      })}
      {attention > 0 && (
        <Link
          to={PARENT_ATTENTION}
          className="flex h-12 items-center gap-3 rounded-large px-3 font-medium text-ink-2 hover:bg-sunken max-md:hidden"
        >
          <CircleAlert aria-hidden className="size-[22px]" />
          <span className="flex-1">Needs attention</span>
          <Badge count={attention} label={attention === 1 ? "change" : "changes"} />
        </Link>
      )}
      <SwitchItem className="mt-auto max-md:hidden" />
    </nav>
  );
}

/** Only who has several sitters chooses among them; how it stands with each of them is said, too. */
function SitterMenu() {
  const portal = usePortal();
  const { sitters, open, standings } = portal;
  const [, navigate] = useLocation();
  const shown = useReplica(standingOf);
  if (sitters.length < 2) return null;
  const choose = (clientId: string) => {
    navigate("/client");
    void chooseSitter(clientId);
  };
  return (
    <Menu
      label="Your sitters"
      trigger={(props) => (
        <Button kind="quiet" icon={<ChevronsUpDown aria-hidden className="size-5" />} {...props}>
          Sitters
          <Badge count={newsElsewhere(portal)} label="new at other sitters" />
        </Button>
      )}
      items={sitters.map((it) => ({
        label: (
          <span className="grid min-w-0 py-1">
            <bdi className="wrap-anywhere">{shownName(it)}</bdi>
            <span className="num text-14 font-normal text-ink-2 empty:hidden">
              {inWords(it.client_id === open?.client_id ? shown : standings[it.client_id])}
            </span>
          </span>
        ),
        checked: it.client_id === open?.client_id,
        onSelect: () => choose(it.client_id),
      }))}
    />
  );
}

/** How much asks for the person at the sitters who are not shown. */
function newsElsewhere({ sitters, open, standings }: Portal): number {
  const others = sitters.filter((it) => it.client_id !== open?.client_id).map((it) => standings[it.client_id]);
  return others.reduce((sum, it) => sum + (it ? it.unread + it.attention : 0), 0);
}

const inWords = (it: Standing | undefined): string =>
  it
    ? [
        it.unread > 0 && `${it.unread} unread`,
        it.attention > 0 && `${it.attention} to review`,
        it.pending > 0 && `${it.pending} to send`,
      ]
        .filter(Boolean)
        .join(", ")
    : "";
