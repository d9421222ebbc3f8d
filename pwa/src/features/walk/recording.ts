/** Owns what screens see of a walk's recording, which lives in the core: an object that is another one after each change. */
import type { Place } from "../../core";
import type { WalkEvent, WalkRecording, WalkState } from "../../core/walk";

export interface WalkView extends WalkState {
  /** Stretches that were recorded without a gap, each as one line. */
  lines: readonly (readonly Place[])[];
  /** In order of time. */
  events: readonly WalkEvent[];
  /** The clients to whose door the walker has come. */
  doors: readonly string[];
}

/** A walk that is tracked, or was. */
export interface RecordedWalk {
  recording: WalkRecording;
  walk: WalkView;
}

/** Returns the view of a walk after `before`. */
export function viewOf(recording: WalkRecording, before?: WalkView): WalkView {
  const lines = recording.changedLines()?.map(placesOf);
  return {
    ...(before ?? { lines: [], events: [], doors: [] }),
    ...recording.state(),
    ...recording.changes(),
    ...(lines && { lines }),
  };
}

/** The places of a line that is latitudes and longitudes by turns, in ten-millionths of a degree. */
export const placesOf = (line: ArrayLike<number>): Place[] =>
  Array.from({ length: line.length / 2 }, (_, it) => ({ lat_e7: line[2 * it] ?? 0, lon_e7: line[2 * it + 1] ?? 0 }));
