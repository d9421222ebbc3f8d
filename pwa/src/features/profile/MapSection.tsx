/** Owns telling what of the map is on this phone, and getting, renewing and removing it. */
import { Download, MapPinned, RefreshCw, Trash2 } from "lucide-react";
import { Suspense } from "react";
import { deviceText } from "../../browser/device";
import { useReplica } from "../../data";
import { downloadMap, dropMap, type MapStatus, useMapStatus } from "../../map/tiles";
import { Section } from "../../parts/account/Section";
import { Banner, Button, confirm, ProgressBar, Skeleton, toast } from "../../ui";

export function MapSection() {
  return (
    <Section id="profile-map" title={deviceText("Map on this phone")}>
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <MapStatusCard />
      </Suspense>
    </Section>
  );
}

const downloadLabel = ({ state, server_lacks_it }: MapStatus): string => {
  if (state === "ready") return "Look for a newer map";
  return server_lacks_it ? "Look again" : "Download map";
};

function MapStatusCard() {
  const status = useMapStatus();
  const area = useReplica((phone) => phone.sitter()?.service_area_address);
  const isDownloading = status.state === "downloading";
  const isTrouble = status.state === "failed" || status.state === "partial";
  const remove = async () => {
    const question = {
      title: deviceText("Remove the map from this phone?"),
      text: "Routes and street maps then need the network.",
      action: "Remove",
      danger: true,
    };
    if (!(await confirm(question))) return;
    try {
      await dropMap();
      toast.success("Map removed");
    } catch {
      toast.error("The map could not be removed. Close other apps and try again.");
    }
  };
  return (
    <>
      <div role="status" className="grid gap-2">
        {isTrouble ? (
          <Banner kind="plain">{deviceText(status.text)}</Banner>
        ) : (
          <p className="flex gap-2 text-14 text-ink-2 text-pretty">
            <MapPinned aria-hidden className="size-5 shrink-0" />
            {deviceText(status.text)}
          </p>
        )}
        {isDownloading && (
          <ProgressBar
            label={deviceText("Map tiles on this phone")}
            value={status.done}
            max={Math.max(1, status.wanted)}
          />
        )}
        {area && status.wanted > 0 && <p className="text-14 text-ink-3">For {area}, and around your clients' homes.</p>}
      </div>
      <div className="grid gap-2 empty:hidden sm:grid-cols-2">
        {status.can_download && (
          <Button
            kind="quiet"
            busy={isDownloading}
            icon={
              status.state === "ready" ? (
                <RefreshCw aria-hidden className="size-5" />
              ) : (
                <Download aria-hidden className="size-5" />
              )
            }
            onClick={() => void downloadMap()}
          >
            {downloadLabel(status)}
          </Button>
        )}
        {status.tiles > 0 && (
          <Button kind="quiet" icon={<Trash2 aria-hidden className="size-5" />} onClick={() => void remove()}>
            Remove map
          </Button>
        )}
      </div>
    </>
  );
}
