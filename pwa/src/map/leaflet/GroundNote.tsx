/** Owns saying, on a map without streets, why there are none. */
import { deviceText } from "../../browser/device";
import type { Place } from "../../core";
import type { MapUse } from "../../core/map";
import { useBlankGround } from "../tiles";

interface GroundNoteProps {
  /** The place that is looked at. */
  place: Place | undefined;
  use: MapUse;
}

export function GroundNote({ place, use }: GroundNoteProps) {
  const blank = useBlankGround(place, use);
  if (!blank?.text) return null;
  return (
    <p className="pointer-events-none absolute top-3 right-18 left-3 z-[1000] rounded-small bg-card/94 px-3 py-2 text-14 text-ink-2 text-pretty">
      {deviceText(blank.text)}
    </p>
  );
}
