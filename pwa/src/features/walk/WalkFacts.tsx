/** Owns what a finished walk looks like: its track and figures, and apart from those its events with their photos. */
import { useEffect, useState } from "react";
import { formatDistance } from "../../core";
import type { WalkEvent, WalkSummary } from "../../core/walk";
import { useReplica } from "../../data";
import { getWalkPhoto } from "../../data/walks/walkLog";
import { TrackMap } from "../../map";
import { clock, type DogAlong, length } from "../../parts/walk/walkText";
import { cx, Photo } from "../../ui";
import { eventText } from "./events";
import type { RecordedWalk } from "./recording";

interface WalkFactsProps {
  summary: WalkSummary;
  recorded: RecordedWalk;
  /** Above what is to be done: a smaller map, and no more than time and distance. */
  brief?: boolean;
}

export function WalkFacts({ summary, recorded: { recording, walk }, brief = false }: WalkFactsProps) {
  const units = useReplica((phone) => phone.units());
  const figures = recording.figures(summary.ended_at, units);
  const hasDistance = walk.kind === "walk" || walk.lines.length > 0;
  return (
    <>
      {walk.lines.length > 0 && (
        <TrackMap
          className={cx("relative rounded-large border border-line", brief ? "h-40" : "h-72")}
          lines={walk.lines}
          gaps={walk.gaps}
          events={walk.events}
          units={units}
        />
      )}
      <dl className={cx("num grid pair gap-2", !brief && "md:grid-cols-4")}>
        <Fact value={length(summary.ran_ms)}>
          {clock(summary.started_at)} to {clock(summary.ended_at)}
        </Fact>
        {hasDistance && (
          <Fact value={formatDistance(summary.distance_m, units)}>
            {distanceText(summary, formatDistance(walk.bridged_m, units))}
          </Fact>
        )}
        {hasDistance && !brief && (
          <>
            <Fact value={length(summary.moving_ms)}>moving</Fact>
            <Fact value={figures.pace || "–"}>{figures.pace_unit}</Fact>
          </>
        )}
      </dl>
    </>
  );
}

/** Lists the events of a walk in order of time. */
export function Timeline({ events, dogs }: { events: readonly WalkEvent[]; dogs: readonly DogAlong[] }) {
  if (events.length === 0) return null;
  return (
    <ol aria-label="What happened" className="num ml-2 grid gap-3 border-l-2 border-line pl-5">
      {events.map((event) => (
        <li key={event.id} className="relative grid gap-2 text-14">
          <span aria-hidden className="absolute top-1 -left-[27px] size-3 rounded-full border-2 border-paper bg-tag" />
          <p className="wrap-anywhere">
            <b className="font-bold">{clock(event.timestamp)}</b> · {eventText(event, dogs)}
          </p>
          {event.type === "photo" && <WalkPhoto event={event} className="aspect-[4/3] w-full max-w-80" />}
        </li>
      ))}
    </ol>
  );
}

const SHORT_GAP_MS = 60_000;

/** A gap of seconds makes it 'at least' and is not worth its figure. */
function distanceText({ at_least, gap_ms }: WalkSummary, bridged: string): string {
  if (!at_least) return "recorded";
  return gap_ms < SHORT_GAP_MS ? "at least" : `recorded; about ${bridged} more in ${length(gap_ms)} that were not`;
}

function Fact({ value, children }: { value: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-large border border-line bg-card p-3">
      <dt className="text-12 text-ink-2">{children}</dt>
      <dd className="text-20 font-bold">{value}</dd>
    </div>
  );
}

export function WalkPhoto({ event, className }: { event: WalkEvent; className: string }) {
  const [src, setSrc] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let current = true;
    void getWalkPhoto(event.id).then((blob) => {
      if (!blob || !current) return;
      url = URL.createObjectURL(blob);
      setSrc(url);
    });
    return () => {
      current = false;
      if (url) URL.revokeObjectURL(url);
    };
  }, [event.id]);
  return <Photo src={src} alt={`Photo of ${clock(event.timestamp)}`} className={className} />;
}
