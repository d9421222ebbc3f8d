/**
 * Owns the analytics section: the days that are looked at, its five tabs, and taking all of it out (SPEC 2, Analytics).
 * Everything is computed here of what is on this phone, and so it is there without a network.
 */
import { ChartNoAxesColumn, Download } from "lucide-react";
import { type ReactNode, Suspense, use, useDeferredValue, useMemo, useState } from "react";
import { loadAnalyticsCore, tooManyServices } from "../../core/analytics";
import { sendNow, useIsSyncing, useReplica, useSyncStatus } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Button, EmptyState, ErrorBoundary, IconButton, LoadFailure, PageBody, PageHeader, Tabs } from "../../ui";
import { Bookings } from "./Bookings";
import { Clients } from "./Clients";
import { Coming } from "./Coming";
import { NextMonth } from "./charts";
import { ExportDialog } from "./ExportDialog";
import { Overview } from "./Overview";
import { Performance } from "./Performance";
import { RangePicker } from "./RangePicker";
import { Revenue } from "./Revenue";
import { type Range, TABS, type TabId, useAddress } from "./range";
import { type Analytics, useFigures, useReadAhead } from "./useFigures";
import "./analytics.css";

const FAILED = "Failed to load analytics data";

const failure = (why: string) => (
  <>
    <span className="block">{FAILED}</span>
    <span className="block font-normal">{why}</span>
  </>
);

export default function AnalyticsScreen() {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  return (
    <ErrorBoundary
      fallback={(retry) => (
        <Frame>
          <LoadFailure onRetry={retry}>{FAILED}</LoadFailure>
        </Frame>
      )}
    >
      <Suspense
        fallback={
          <Frame>
            <Coming />
          </Frame>
        }
      >
        {hasLoaded ? (
          <Loaded />
        ) : (
          <Frame>
            <LoadingOrFailure label="Loading analytics" failure={failure} />
          </Frame>
        )}
      </Suspense>
    </ErrorBoundary>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Analytics" />
      <PageBody className="max-w-220 xl:max-w-none">{children}</PageBody>
    </>
  );
}

function Loaded() {
  use(loadAnalyticsCore());
  useReadAhead();
  const address = useAddress();
  const { range, tab } = address;
  const [isExporting, setExporting] = useState(false);
  const good = useLastGood(range);
  // What was pressed is shown at once, and the figures when they are computed.
  const shown = useDeferredValue(good);
  const isWrong = range.errors.length > 0;
  return (
    <>
      <PageHeader
        title="Analytics"
        actions={
          !isWrong && (
            <>
              <Button
                kind="quiet"
                className="max-md:hidden"
                icon={<Download aria-hidden className="size-5" />}
                onClick={() => setExporting(true)}
              >
                Export Data
              </Button>
              <IconButton label="Export Data" kind="square" className="md:hidden" onClick={() => setExporting(true)}>
                <Download />
              </IconButton>
            </>
          )
        }
      />
      <PageBody className="grid max-w-220 gap-4 xl:max-w-none">
        <RangePicker address={address} />
        {shown && <Figures range={shown} isOld={isWrong || shown !== good} tab={tab} onTab={address.setTab} />}
      </PageBody>
      {isExporting && <ExportDialog range={range} onClose={() => setExporting(false)} />}
    </>
  );
}

/** The days that were asked for last and can be looked at: while a date is typed it is many others, some of them wrong. */
function useLastGood(range: Range): Range | undefined {
  const [good, setGood] = useState<Range>();
  const isSame = good?.first === range.first && good.last === range.last;
  if (isSame || range.errors.length > 0) return good;
  setGood(range);
  return range;
}

interface FiguresProps {
  range: Range;
  /** Other days were chosen meanwhile. */
  isOld: boolean;
  tab: TabId;
  onTab: (tab: TabId) => void;
}

function Figures({ range, isOld, tab, onTab }: FiguresProps) {
  const analytics = useFigures(range);
  const Panel = PANELS[tab];
  // Drawn anew with other figures, and not with each change of what is on this phone.
  const panel = useMemo(() => analytics && <Panel analytics={analytics} />, [Panel, analytics]);
  if (!analytics) return <EmptyState icon={ICON} title={tooManyServices()[0]?.text} />;
  if (analytics.isEmpty) return <Nothing analytics={analytics} />;
  return (
    <Tabs label="Analytics" isDense items={TABS} value={tab} onChange={onTab}>
      {/* Where two stand side by side the first, which sums up or is of all days, has both places. */}
      <div
        aria-busy={isOld}
        className="grid items-start gap-4 *:min-w-0 aria-busy:opacity-60 xl:grid-cols-2 xl:*:first:col-span-full"
      >
        {panel}
      </div>
    </Tabs>
  );
}

const PANELS: Record<TabId, (props: { analytics: Analytics }) => ReactNode> = {
  overview: Overview,
  revenue: Revenue,
  bookings: Bookings,
  clients: Clients,
  performance: Performance,
};

const ICON = <ChartNoAxesColumn aria-hidden />;

function Nothing({ analytics }: { analytics: Analytics }) {
  const busy = useIsSyncing();
  const { unreachable } = useSyncStatus();
  return (
    <>
      {analytics.performance.nextMonth.service_count > 0 && <NextMonth analytics={analytics} />}
      <EmptyState
        icon={ICON}
        title="No analytics data available"
        action={
          <Button busy={busy} onClick={sendNow}>
            Reload
          </Button>
        }
      >
        <p>Complete services or choose other days to see figures here.</p>
        {unreachable && <p role="status">{unreachable}: changes from your other devices may be missing.</p>}
      </EmptyState>
    </>
  );
}
