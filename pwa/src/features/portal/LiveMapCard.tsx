/** Owns the live map of a visit as a pet parent sees it: shown while the sitter shows the walk, with the age of its news. */
import { MapPinned } from "lucide-react";
import { Suspense, useState } from "react";
import { useMinute, useNow } from "../../browser/clock";
import { formatDuration, type ServiceView } from "../../core";
import { useReplica } from "../../data";
import { type SeenLiveMap, useLiveMap } from "../../data/portal/liveMaps";
import { cx } from "../../ui";
import { ErrorBoundary } from "../../ui/ErrorBoundary";
import { loadable } from "../../ui/loadable";

const LiveMapView = loadable(() => import("./LiveMapView"));

/** The live map of a visit while its sitter shows it. */
export function useLiveMapOf(visit: ServiceView): SeenLiveMap | undefined {
  const now = useMinute();
  return useLiveMap(
    visit.id,
    useReplica((phone) => phone.mayBeOnLiveMap(visit.id, now)),
  );
}

export function LiveMapCard({ visit, className }: { visit: ServiceView; className?: string }) {
  const map = useLiveMapOf(visit);
  // Of this visit: another one may come in its place.
  const [shown, setShown] = useState<string>();
  if (map && shown !== visit.id) setShown(visit.id);
  if (!map) {
    return shown === visit.id && visit.status === "scheduled" ? <NoLongerShown className={className} /> : null;
  }
  return (
    <section aria-label="Live map" className={cx("grid grid-cols-1 gap-2", className)}>
      <p className="num flex items-center gap-2">
        <MapPinned aria-hidden className="size-5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          <span className="font-bold">Live map</span>, as of <Age at={map.at} />
        </span>
      </p>
      <div role="group" aria-label="Map of the walk so far" className="h-64 overflow-hidden rounded-small bg-sunken">
        {/* A map that does not load must not take the visit with it. */}
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <LiveMapView map={map} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </section>
  );
}

/** In place of a map that was on the screen, or it would seem to have been lost. */
const NoLongerShown = ({ className }: { className: string | undefined }) => (
  <p role="status" className={cx("text-14 text-ink-2", className)}>
    The live map is no longer shown.
  </p>
);

const MINUTE_MS = 60_000;

/** `2 min ago`. */
function Age({ at }: { at: number }) {
  const minutes = Math.floor((useNow() - at) / MINUTE_MS);
  return <>{minutes < 1 ? "just now" : `${formatDuration(minutes)} ago`}</>;
}
