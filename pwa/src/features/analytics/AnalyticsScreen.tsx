/**
 * Owns the analytics section: the days that are looked at, its five tabs, and taking all of it out (SPEC 2, Analytics).
 * Everything is computed here of what is on this phone, and so it is there without a network.
 */
import { ChartNoAxesColumn, Download } from "lucide-react";
import { type ReactNode, Suspense, use, useDeferredValue, useState } from "react";
import { loadAnalyticsCore } from "../../core/analytics";
import { sendNow, useReplica } from "../../data";
import { Button, EmptyState, ErrorBoundary, IconButton, LoadFailure, PageBody, PageHeader, Tabs } from "../../ui";
import { NotYet } from "../attention/NotYet";
import { Bookings } from "./Bookings";
import { Clients } from "./Clients";
import { Coming } from "./Coming";
import { ExportDialog } from "./ExportDialog";
import { Overview } from "./Overview";
import { Performance } from "./Performance";
import { RangePicker } from "./RangePicker";
import { Revenue } from "./Revenue";
import { type Range, TABS, type TabId, useAddress } from "./range";
import { type Analytics, useFigures } from "./useFigures";
import "./analytics.css";

const FAILED = "Failed to load analytics data";

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
            <NotYet label="Loading analytics" failure={(why) => `${FAILED}: ${why}`} />
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
      <PageBody className="max-w-220">{children}</PageBody>
    </>
  );
}

function Loaded() {
  use(loadAnalyticsCore());
  const address = useAddress();
  const { range, tab } = address;
  const [isExporting, setExporting] = useState(false);
  // What was pressed is shown at once, and the figures when they are computed.
  const shown = useDeferredValue(range);
  return (
    <>
      <PageHeader
        title="Analytics"
        actions={
          !range.error && (
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
      <PageBody className="grid max-w-220 gap-4">
        <RangePicker address={address} />
        {!shown.error && <Figures range={shown} isOld={shown !== range} tab={tab} onTab={address.setTab} />}
      </PageBody>
      {isExporting && <ExportDialog range={range} onClose={() => setExporting(false)} />}
    </>
  );
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
  if (analytics.isEmpty) return <Nothing />;
  const Panel = PANELS[tab];
  return (
    <Tabs label="Analytics" items={TABS} value={tab} onChange={onTab}>
      <div aria-busy={isOld} className="grid gap-4 aria-busy:opacity-60">
        <Panel analytics={analytics} />
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

function Nothing() {
  return (
    <EmptyState
      icon={<ChartNoAxesColumn aria-hidden />}
      title="No analytics data available"
      action={<Button onClick={sendNow}>Reload</Button>}
    >
      Complete services, or choose other days: what they come to stands here.
    </EmptyState>
  );
}
