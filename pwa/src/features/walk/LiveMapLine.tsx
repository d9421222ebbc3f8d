/** Owns what a sitter reads and does about the live map: the question before it, who sees it while it is on, and its end. */
import { MapPinned, MapPinOff } from "lucide-react";
import { deviceText } from "../../browser/device";
import { type LiveMapViewer, limits } from "../../core";
import { business, useReplica } from "../../data";
import { useLiveMapEndWaits } from "../../data/walks/liveMaps";
import type { WalkLiveMap, WalkRow } from "../../data/walks/walks";
import { aroundHome, names } from "../../parts/walk/walkText";
import { Banner, confirm, toast } from "../../ui";
import { useSendingLiveMapEnds } from "./LiveMapEnds";
import { audienceOf, type LiveMapState, showLiveMap, stopLiveMap, useLiveMapState } from "./liveMap";

/** `Dana and Mikko see`. */
const see = (who: readonly { name: string }[]): string =>
  `${names(who.map((it) => it.name))} ${who.length === 1 ? "sees" : "see"}`;

/** Asks whether to show the walk to its clients; absent where that is so, or none of them can be shown it. */
export function useLiveMapOffer(row: WalkRow): (() => void) | undefined {
  const { viewers, left_out } = useReplica((phone) => audienceOf(phone, row));
  if (row.live_map || row.went_on || viewers.length === 0) return undefined;
  return () => void ask(viewers, left_out);
}

async function ask(viewers: readonly LiveMapViewer[], leftOut: readonly string[]): Promise<void> {
  const near = aroundHome(business().phone.units());
  const homes = `Nothing within ${near} of another client's home or your service area's address is sent.`;
  const yes = await confirm({
    title: "Show the live map?",
    text: (
      <>
        <p>{see(viewers)} where you walk, until this walk ends. What you have walked so far is not sent.</p>
        {viewers.some((it) => it.hidden.length > 0) && <p>{homes}</p>}
        {leftOut.length > 0 && (
          <p>{names(leftOut)} cannot be shown it: the home of another client is not on the map.</p>
        )}
      </>
    ),
    action: "Show map",
  });
  if (yes) await orTell(showLiveMap(viewers), "This phone could not store that. Please try again.");
}

async function orTell(saving: Promise<void>, failed: string): Promise<void> {
  try {
    await saving;
  } catch {
    toast.error(deviceText(failed));
  }
}

const STOPPED_IN_MEMORY =
  "The live map is off, but this phone could not store that. If the app closes now, the map may come on again with the walk.";

/** Says who sees the walk while somebody does, with the way to stop it. */
export function LiveMapLine({ row }: { row: WalkRow }) {
  const state = useLiveMapState();
  const viewers = row.live_map?.viewers;
  if (!state || !viewers) return <LiveMapEnding />;
  return (
    <Banner
      role="status"
      icon={<MapPinned aria-hidden />}
      action={
        <button
          type="button"
          aria-label="Stop the live map"
          onClick={() => void orTell(stopLiveMap(), STOPPED_IN_MEMORY)}
        >
          Stop
        </button>
      }
    >
      <span className="num">{row.went_on ? "Live map: nothing is sent for now" : textOf(state, viewers)}</span>
    </Banner>
  );
}

function textOf({ sent, over, hasFailed, isResumed }: LiveMapState, viewers: WalkLiveMap["viewers"]): string {
  const seeing = viewers.filter((it) => sent.includes(it.service_id));
  const waiting = viewers.filter((it) => !sent.includes(it.service_id) && !over.includes(it.service_id));
  if (isResumed) return `Live map on for ${names(waiting.map((it) => it.name))}`;
  const minutes = limits().live_map_minutes;
  const seen = hasFailed
    ? `No connection: ${see(seeing)} your last position, for ${minutes} min at most`
    : `${see(seeing)} where you walk`;
  // An update whose answer was lost may have come.
  const unseen = hasFailed
    ? `No connection: ${names(waiting.map((it) => it.name))} may not see it yet`
    : `${see(waiting)} nothing yet`;
  return [...(seeing.length > 0 ? [seen] : []), ...(waiting.length > 0 ? [unseen] : [])].join(". ");
}

/** Says that a live map which was switched off is still seen, where that could not be sent. */
export function LiveMapEnding() {
  const waits = useLiveMapEndWaits();
  useSendingLiveMapEnds();
  if (!waits) return null;
  const minutes = limits().live_map_minutes;
  return (
    <Banner role="status" icon={<MapPinOff aria-hidden />}>
      {deviceText(
        `The live map stops when this phone has a connection, or after ${minutes} min. Nothing more is sent.`,
      )}
    </Banner>
  );
}
