/** Owns the small picture of a track: its shape, north up, in a square. */
import { cx } from "../ui/cx";

interface TrackPictureProps {
  /** Each line as latitude and longitude in ten-millionths of a degree, one after another. */
  lines: readonly (readonly number[])[];
  className?: string;
}

const SIZE = 84;
const MARGIN = 12;
/** Half a turn, in the ten-millionths of a degree that lines are in. */
const HALF_TURN_E7 = 180e7;

export function TrackPicture({ lines, className }: TrackPictureProps) {
  const points = lines.map(pairs);
  const all = points.flat();
  const [south, north] = range(all.map((it) => it[0]));
  const [west, east] = range(all.map((it) => it[1]));
  // A degree of longitude is shorter the further from the equator.
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / HALF_TURN_E7);
  const span = Math.max((east - west) * narrow, north - south, 1);
  const scale = (SIZE - 2 * MARGIN) / span;
  const x = (lon: number) => SIZE / 2 + (lon - (west + east) / 2) * narrow * scale;
  const y = (lat: number) => SIZE / 2 - (lat - (south + north) / 2) * scale;
  return (
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden className={cx("rounded-small bg-completed-soft", className)}>
      {points.map((line, at) => (
        <polyline
          // Lines have no names and never change places.
          key={at}
          points={line.map(([lat, lon]) => `${x(lon).toFixed(1)},${y(lat).toFixed(1)}`).join(" ")}
          fill="none"
          className="stroke-ink"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}

function pairs(line: readonly number[]): [lat: number, lon: number][] {
  const all: [number, number][] = [];
  for (let at = 0; at + 1 < line.length; at += 2) all.push([line[at] ?? 0, line[at + 1] ?? 0]);
  return all;
}

const range = (numbers: number[]): [number, number] =>
  numbers.reduce<[number, number]>(
    ([least, most], it) => [Math.min(least, it), Math.max(most, it)],
    numbers.length > 0 ? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] : [0, 0],
  );
