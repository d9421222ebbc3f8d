/** Owns what is around every section: navigation for thumb and mouse, header tools, banners, its error screen (SPEC 2). */
import { Compass, RotateCw } from "lucide-react";
import { memo, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useMinute } from "../browser/clock";
import { isAppCached, useIsPhone } from "../browser/device";
import { whenIdle } from "../browser/idle";
import { setBadge } from "../browser/notifications";
import { useFirstRead, useFirstReplica } from "../data";
import { useServicesUnderWay } from "../data/walks/walks";
import { SignOutDialog } from "../parts/account/SignOut";
import { useParentNews } from "../parts/parentNews";
import {
  ButtonLink,
  cx,
  EmptyState,
  ErrorBoundary,
  FeatureError,
  HeaderFrameProvider,
  IconButton,
  loadable,
  PageBody,
  PageHeader,
  SkeletonCards,
  toast,
  useStep,
} from "../ui";
import { Banners } from "./Banners";
import { Bell } from "./Bell";
import { BottomBar } from "./BottomBar";
import { keepMapAhead } from "./mapAhead";
import { PaletteHost } from "./PaletteHost";
import { SideMenu } from "./SideMenu";
import { useInSight } from "./StatusStrip";
import { HOME, type Section } from "./sections";
import { useCollapsed } from "./useCollapsed";
import { useKeepStorage } from "./useKeepStorage";

const Desktop = loadable(async () => ({ default: (await import("./Desktop")).Desktop }));
const UserMenu = loadable(async () => ({ default: (await import("./Desktop")).UserMenu }));

/** Without a section: a path that leads nowhere. */
export function Shell({ section }: { section?: Section }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const [collapsed, setCollapsed] = useCollapsed();
  const [pathname] = useLocation();
  const step = useStep();
  const isPhone = useIsPhone();
  const requests = useFirstReplica((phone) => phone.pendingRequests());
  const attention = useFirstReplica((phone) => phone.attentionCount());
  const messages = useFirstReplica((phone) => phone.unreadMessages());
  const clients = useParentNews().length;
  const now = useMinute();
  const underWay = useServicesUnderWay();
  const overdue = useFirstReplica((phone) => phone.overdueCount(underWay, now));
  const toSend = useFirstRead((phone) => phone.toSendCount(now), now);
  const toDecide = useFirstRead((phone) => phone.waitingSeriesCount(now), now);
  const toDo = requests + attention + messages + overdue + toDecide;
  useEffect(() => setBadge(toDo), [toDo]);

  useKeepStorage(useFirstReplica((phone) => phone.hasClients()));
  useEffect(keepMapAhead, []);
  useEffect(keepNotificationsAhead, []);
  // They would act on what is open next.
  useEffect(() => toast.clearActions, []);

  const path = section?.path;
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [path]);
  // The step, since a link to where one already is changes no path and closes the menu all the same.
  useEffect(() => setMenuOpen(false), [step]);

  // What is around the screen is drawn again only where something of its own has changed.
  const counts = useMemo(
    () => ({ requests, attention, overdue, messages, clients, toSend, toDecide }),
    [requests, attention, overdue, messages, clients, toSend, toDecide],
  );
  const { ref: bannersRef, inSight } = useInSight();
  const openMenu = useCallback(() => setMenuOpen(true), []);
  const closeMenu = useCallback(() => setMenuOpen(false), []);
  const frame = useMemo(() => {
    const tools = (
      <>
        <Bell requests={requests} />
        {!isPhone && (
          <ErrorBoundary fallback={() => null}>
            <Suspense fallback={<div className="size-12" />}>
              <UserMenu />
            </Suspense>
          </ErrorBoundary>
        )}
      </>
    );
    const banners = (
      <div ref={bannersRef} className="grid grid-cols-1 gap-3 empty:hidden">
        <Banners />
      </div>
    );
    return { tools, banners };
  }, [requests, bannersRef, isPhone]);
  const hasDesktop = useHasDesktop(isPhone);
  const screen = section ? <Screen section={section} path={pathname} /> : <Nowhere />;

  if (section?.frame === "bare") {
    return (
      <HeaderFrameProvider value={{ tools: null, banners: null }}>
        <main>{screen}</main>
      </HeaderFrameProvider>
    );
  }
  return (
    <HeaderFrameProvider value={frame}>
      <a
        href="#content"
        className="fixed top-2 left-2 z-20 -translate-y-20 print:hidden rounded-large bg-act px-4 py-3 font-bold text-on-act focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      {hasDesktop && (
        <ErrorBoundary fallback={() => <NoDesktop />}>
          <Suspense>
            <Desktop counts={counts} hasStatus={!inSight} collapsed={collapsed} onCollapse={setCollapsed} />
          </Suspense>
        </ErrorBoundary>
      )}
      <main
        id="content"
        tabIndex={-1}
        className={cx(
          "relative pt-safe pb-[calc(72px+var(--status,0px)+env(safe-area-inset-bottom))] outline-none transition-[margin] md:pb-0 print:ml-0! print:p-0",
          collapsed ? "md:ml-16" : "md:ml-64",
          section?.frame === "fixed"
            ? "flex h-dvh flex-col overflow-y-auto print:block print:h-auto print:overflow-visible"
            : "min-h-dvh",
        )}
      >
        {screen}
      </main>
      <BottomBar counts={counts} hasStatus={!inSight} onMore={openMenu} />
      <SideMenu open={menuOpen} onClose={closeMenu} counts={counts} />
      <PaletteHost />
      <SignOutDialog />
    </HeaderFrameProvider>
  );
}

/** In place of the sidebar where its code did not come: without it nothing leads on from here. */
function NoDesktop() {
  return (
    <nav aria-label="Main" className="fixed inset-y-0 left-0 z-10 hidden p-2 md:block print:hidden">
      <IconButton label="Load the menu again" onClick={() => location.reload()}>
        <RotateCw />
      </IconButton>
    </nav>
  );
}

/** A phone may have a keyboard, too: it waits for its screen, and its first visit loads no more than it shows. */
function useHasDesktop(isPhone: boolean): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(isAppCached())), []);
  return !isPhone || isIdle;
}

/** Apart from what is around it, whose counts change more often than the screen does. */
const Screen = memo(function Screen({ section, path }: { section: Section; path: string }) {
  return (
    <ErrorBoundary
      resetKey={path}
      fallback={() => (
        <>
          <PageHeader title={section.title} />
          <FeatureError feature={section.label} />
        </>
      )}
    >
      <Suspense key={section.path} fallback={<Coming title={section.title} bare={section.frame === "bare"} />}>
        <section.Screen />
      </Suspense>
    </ErrorBoundary>
  );
});

function Coming({ title, bare }: { title: string; bare: boolean }) {
  if (bare) return <div className="min-h-dvh bg-paper" />;
  return (
    <>
      <PageHeader title={title} />
      <PageBody>
        <SkeletonCards />
      </PageBody>
    </>
  );
}

/** A path of nothing. */
function Nowhere() {
  return (
    <>
      <PageHeader title="Not here" />
      <EmptyState
        icon={<Compass aria-hidden />}
        title="There is nothing at this address"
        action={<ButtonLink to={HOME}>To the schedule</ButtonLink>}
      />
    </>
  );
}

/** Without the permission there is nothing to keep; it is asked for where notifications are turned on. */
function keepNotificationsAhead(): (() => void) | undefined {
  if (globalThis.Notification?.permission !== "granted") return undefined;
  return whenIdle(() => void import("../features/notifications/ahead").then((it) => it.keepNotifications()));
}
