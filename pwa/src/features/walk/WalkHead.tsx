/**
 * Owns the card at the head of a walk that goes on: with whom it is, and how long and far it has been. Its words have an
 * end to how large they get, so that the map below it stays in sight.
 */
import { KeyRound, MapPinned } from "lucide-react";
import type { ReactNode } from "react";
import { formatDuration, type WalkFigures } from "../../core";
import type { WalkRow } from "../../data/walks/walks";
import { RunningLateButton } from "../../parts/visit/RunningLateButton";
import { clientsOf } from "../../parts/walk/walkText";
import { cx, IconButton } from "../../ui";

interface WalkHeadProps {
  row: WalkRow;
  figures: WalkFigures;
  isPaused: boolean;
  /** Opens how to get in; absent where no client's dog is along. */
  onDoor: (() => void) | undefined;
  /** Asks whether to show clients where the walk is; absent where nobody can be shown, and while somebody is. */
  onLiveMap: (() => void) | undefined;
}

export function WalkHead({ row, figures, isPaused, onDoor, onLiveMap }: WalkHeadProps) {
  const clients = clientsOf(row);
  return (
    <div className="rounded-[22px] border border-line bg-card/94 px-4 py-3">
      <div className="flex items-start justify-between gap-2">
        <div className="line-clamp-2 min-w-0 text-[length:min(var(--text-14),5vw)] leading-[1.45] wrap-anywhere">
          <h1 className="inline font-bold">
            <span className="sr-only">Walk with </span>
            {row.title}
          </h1>
          {clients && <span className="text-ink-2"> · {clients}</span>}
        </div>
        {/* The margins keep the row as low as its text, while each button has its full 48 px. */}
        <div className="-my-3 -mr-3 flex shrink-0">
          <RunningLateButton iconOnly />
          {onLiveMap && (
            <IconButton label="Show the live map" onClick={onLiveMap}>
              <MapPinned />
            </IconButton>
          )}
          {onDoor && (
            <IconButton label="Access and care" onClick={onDoor}>
              <KeyRound />
            </IconButton>
          )}
        </div>
      </div>
      <dl className="num flex flex-wrap items-end gap-x-5">
        <Figure large value={figures.time}>
          {isPaused ? "paused" : row.planned_minutes ? `of about ${formatDuration(row.planned_minutes)}` : "time"}
        </Figure>
        <Figure value={figures.distance}>{figures.at_least ? "at least" : "distance"}</Figure>
        <Figure value={figures.pace || "–"}>{figures.pace_unit}</Figure>
      </dl>
    </div>
  );
}

function Figure({ value, large, children }: { value: string; large?: boolean; children: ReactNode }) {
  return (
    <div className={cx("flex flex-col-reverse", !large && "flex-1")}>
      {/* Of the small ones the figure says how wide it is, and not the word below it. */}
      <dt
        className={cx(
          "text-[length:min(var(--text-12),4vw)] leading-[1.35] text-ink-2",
          large ? "whitespace-nowrap" : "w-0 min-w-full truncate",
        )}
      >
        {children}
      </dt>
      <dd className={cx("font-bold whitespace-nowrap", large ? "text-40" : "text-20")}>{value}</dd>
    </div>
  );
}
