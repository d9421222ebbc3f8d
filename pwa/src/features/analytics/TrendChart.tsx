/**
 * Owns the chart of how something goes on: a bar for each part of the days, and a line for the same part of the days before.
 * A slider lies over it, so that a finger, a mouse and arrow keys all move the same cursor, and its value is read out.
 */
import { AxisBottom, AxisLeft, type TickRendererProps } from "@visx/axis";
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar, LinePath } from "@visx/shape";
import { type CSSProperties, type PointerEvent, useRef, useState } from "react";
import { useRoom } from "./useRoom";

export interface Point {
  /** In short, for the axis. */
  label: string;
  /** The label in full. */
  title: string;
  value: number;
  before: number;
}

interface TrendChartProps {
  /** Name of the values: `Revenue`. */
  name: string;
  /** Description of the chart for those who do not see it. */
  sentence: string;
  points: readonly Point[];
  format: (value: number) => string;
  /** The same on an axis. */
  short: (value: number) => string;
}

// In rem: who has large letters has large labels.
const HEIGHT = 13;
const LEFT = 2.75;
const BOTTOM = 1.75;
const TOP = 0.5;
/** A label of the axis has so much room. */
const LABEL_WIDTH = 3.25;
const TICKS = 3;

export function TrendChart({ name, sentence, points, format, short }: TrendChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const { width, rem } = useRoom(box);
  const [chosen, setChosen] = useState<number>();
  const at = Math.min(chosen ?? points.length - 1, points.length - 1);
  const point = points[at];
  if (!point) return null;
  return (
    <div className="grid gap-2">
      <Readout name={name} point={point} format={format} />
      <div
        ref={box}
        className="relative h-[13rem] rounded-small has-focus-visible:outline-3 has-focus-visible:outline-scheduled"
      >
        {width > LEFT * rem && <Drawing {...{ points, at, width, rem, short, sentence }} />}
        <Cursor name={name} points={points} at={at} format={format} onMove={setChosen} />
      </div>
    </div>
  );
}

/** The value under the finger. */
function Readout({
  name,
  point: { title, value, before },
  format,
}: Pick<TrendChartProps, "name" | "format"> & { point: Point }) {
  return (
    <dl className="num flex flex-wrap items-baseline gap-x-4 gap-y-1 text-14 text-ink-2">
      <dt className="basis-full">{title}</dt>
      <dd className="flex items-center gap-2 text-ink">
        <span aria-hidden className="size-3 rounded-full bg-scheduled" />
        <span className="sr-only">{name}</span>
        <span className="text-20 font-bold">{format(value)}</span>
      </dd>
      <dd className="flex items-center gap-2">
        <span aria-hidden className="w-5 border-t-3 border-dotted border-ink-2" />
        <span>{format(before)} in the days before</span>
      </dd>
    </dl>
  );
}

interface DrawingProps extends Pick<TrendChartProps, "points" | "short" | "sentence"> {
  at: number;
  width: number;
  rem: number;
}

function Drawing({ points, at, width, rem, short, sentence }: DrawingProps) {
  const most = Math.max(1, ...points.flatMap((it) => [it.value, it.before]));
  const places = points.map((_, place) => place);
  const [left, floor] = [LEFT * rem, (HEIGHT - BOTTOM) * rem];
  const x = scaleBand({ domain: places, range: [left, width], paddingInner: points.length > 60 ? 0 : 0.25 });
  const y = scaleLinear({ domain: [0, most], range: [floor, TOP * rem], nice: TICKS });
  const step = Math.max(1, Math.ceil((LABEL_WIDTH * rem) / x.step()));
  return (
    <svg
      role="img"
      aria-label={sentence}
      width={width}
      height={HEIGHT * rem}
      className="chart absolute inset-0 overflow-visible"
    >
      <Group>
        {y.ticks(TICKS).map((it) => (
          <line key={it} x1={left} x2={width} y1={y(it)} y2={y(it)} />
        ))}
      </Group>
      <Group>
        {points.map(({ value }, place) => (
          <Bar
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            x={x(place) ?? 0}
            y={y(value)}
            width={x.bandwidth()}
            height={floor - y(value)}
            rx={Math.min(3, x.bandwidth() / 3)}
            className={place === at ? "chosen" : ""}
          />
        ))}
      </Group>
      {/* What is below it is the color of the card, so that it is seen on bars, too. */}
      {[6, 2.5].map((strokeWidth) => (
        <LinePath
          key={strokeWidth}
          data={places}
          x={(place) => (x(place) ?? 0) + x.bandwidth() / 2}
          y={(place) => y(points[place]?.before ?? 0)}
          className={strokeWidth > 3 ? "halo" : ""}
          strokeWidth={strokeWidth}
          strokeDasharray="1 5"
          strokeLinecap="round"
        />
      ))}
      <AxisLeft
        scale={y}
        left={left}
        hideAxisLine
        hideTicks
        tickValues={y.ticks(TICKS)}
        tickFormat={(it) => short(Number(it))}
        tickComponent={label}
      />
      <AxisBottom
        scale={x}
        top={floor}
        hideTicks
        tickValues={places.filter((place) => place % step === 0)}
        tickFormat={(place) => points[place]?.label ?? ""}
        tickComponent={label}
      />
    </svg>
  );
}

/** A label of an axis. The library's own measures each of its words, which takes longer than the whole drawing. */
const label = ({ x, y, dx, dy, textAnchor, formattedValue }: TickRendererProps) => (
  <text {...{ x, y, dx, dy, textAnchor }}>{formattedValue}</text>
);

interface CursorProps extends Pick<TrendChartProps, "name" | "points" | "format"> {
  at: number;
  onMove: (place: number) => void;
}

function Cursor({ name, points, at, format, onMove }: CursorProps) {
  const point = points[at];
  // A mouse need not press. A finger is followed here, too: on iPhones a slider moves only with its thumb.
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * points.length);
    onMove(Math.min(points.length - 1, Math.max(0, place)));
  };
  return (
    <input
      type="range"
      aria-label={`${name}, point by point`}
      aria-valuetext={point && `${point.title}: ${format(point.value)}, in the days before ${format(point.before)}`}
      min={0}
      max={points.length - 1}
      value={at}
      onChange={(event) => onMove(Number(event.target.value))}
      onPointerDown={follow}
      onPointerMove={follow}
      style={{ "--part": `${100 / points.length}%` } as CSSProperties}
      className="chart-cursor absolute inset-y-0 right-0 left-[2.75rem] h-full w-[calc(100%-2.75rem)]"
    />
  );
}
