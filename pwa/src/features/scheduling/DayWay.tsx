/**
 * Owns a day as a way: its visits as stops on the map and in a list, with the ways between them. The list says all that
 * the map shows.
 */
import { TriangleAlert } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useMinute } from "../../browser/clock";
import { type BetterOrder, type DayStop, formatDateHeading, type MovedVisit, type Place } from "../../core";
import { business, save, storageTrouble, useRead, useReplica } from "../../data";
import { DayMap } from "../../map";
import { findWay } from "../../map/search";
import { onMapChange } from "../../map/tiles";
import { Button, Chip, cx, Dialog, Segmented, toast, useBusy } from "../../ui";

type Means = "foot" | "wheels";

const MEANS: { value: Means; label: string }[] = [
  { value: "foot", label: "On foot" },
  { value: "wheels", label: "By car or bicycle" },
];

interface DayWayProps {
  date: string;
  onClose: () => void;
}

export default function DayWay({ date, onClose }: DayWayProps) {
  const [means, setMeans] = useState<Means>("foot");
  const [shown, setShown] = useState<string>();
  const isOnFoot = means === "foot";
  const estimated = useRead(
    (phone) => phone.dayWay(date, isOnFoot, new Float64Array(), new Int32Array()),
    date,
    isOnFoot,
  );
  const found = useFoundWays(isOnFoot ? estimated : NONE);
  const { meters, minutes } = found;
  const stops = useRead(
    (phone) => phone.dayWay(date, isOnFoot, Float64Array.from(meters), Int32Array.from(minutes)),
    date,
    isOnFoot,
    meters.join(),
    minutes.join(),
  );
  const places = stops.flatMap(({ id, number, place, status }) =>
    place ? [{ id, number, place, isDone: status === "completed" }] : [],
  );
  const units = useReplica((phone) => phone.units());
  return (
    <Dialog open size="large" title="Day on the map" sub={formatDateHeading(date)} onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <Segmented label="Ways" value={means} onChange={setMeans} options={MEANS} />
        {places.length > 0 && <DayMap stops={places} shown={shown} className="h-64 rounded-large md:h-80" />}
        {stops.length === 0 && <p className="text-ink-2">No visit on this day.</p>}
        <ol aria-label="Stops" className="grid grid-cols-1">
          {stops.map((stop) => (
            <Stop key={stop.id} stop={stop} isShown={stop.id === shown} onShow={() => setShown(stop.id)} />
          ))}
        </ol>
        <Order date={date} isOnFoot={isOnFoot} />
        {stops.length > 1 && (
          <p className="text-14 text-ink-2">
            "About" marks an estimate: straight-line distance plus a third, at{" "}
            {isOnFoot ? "walking speed" : `${units === "imperial" ? "9 miles" : "15 km"} an hour from door to door`}.
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** A shorter way, shown before it is taken; nothing on a day without windows. */
function Order({ date, isOnFoot }: { date: string; isOnFoot: boolean }) {
  const now = useMinute();
  const { busy, run } = useBusy();
  const better = useRead((phone) => phone.betterOrder(date, isOnFoot, now), date, isOnFoot, now);
  if (!better) return null;
  return (
    <section aria-labelledby="better-order" className="grid grid-cols-1 gap-2 rounded-large border border-line p-4">
      <h3 id="better-order" className="font-bold">
        Better order
      </h3>
      {better.reason ? (
        <p className="text-14 text-ink-2">{better.reason}</p>
      ) : (
        <>
          <p>Saves about {better.saved} with these times:</p>
          <ul className="num grid gap-1 text-14 wrap-anywhere">
            {better.moved.map((it) => (
              <li key={it.id}>
                <bdi>{it.title}</bdi>: from {it.planned_text} to <b className="font-bold">{it.new_text}</b>
              </li>
            ))}
          </ul>
          <Button kind="quiet" busy={busy} onClick={() => void run(() => take(date, better))}>
            Use this order
          </Button>
        </>
      )}
    </section>
  );
}

async function take(date: string, { moved }: BetterOrder): Promise<void> {
  const there = moved.map(({ id, planned, start_time }) => ({ id, planned, start_time }));
  const { phone } = business();
  const back = there.map(({ id, planned, start_time }) => {
    const { window_from: from, window_to: to } = phone.service(id) ?? {};
    return { id, planned: start_time, start_time: planned, ...(from && to && { window: { from, to } }) };
  });
  if (!(await put(date, there, "Take a better order"))) return;
  toast.success("Order changed", {
    label: "Undo",
    onAction: () => void put(date, back, "Put the day back in its order"),
  });
}

async function put(date: string, moved: MovedVisit[], sentence: string): Promise<boolean> {
  try {
    const result = await save({ name: "move_visits", args: { date, moved } }, sentence);
    if (!result.ok) toast.error(result.text);
    return result.ok;
  } catch (error) {
    toast.error(storageTrouble(error));
    return false;
  }
}

interface StopProps {
  stop: DayStop;
  isShown: boolean;
  onShow: () => void;
}

function Stop({ stop: { number, title, client_name, time, window, place, status, leg }, isShown, onShow }: StopProps) {
  const isDone = status === "completed";
  const text = (
    <>
      <span
        aria-hidden
        className={cx(
          "num grid size-8 shrink-0 place-items-center rounded-full border-2 font-bold",
          isShown ? "border-ink bg-tag text-on-tag" : isDone ? "border-line text-ink-3" : "border-ink",
        )}
      >
        {number}
      </span>
      <span className="min-w-0 flex-1 text-left wrap-anywhere">
        <span className={cx("num block font-bold", isDone && "text-ink-2")}>{time}</span>
        <bdi className="block text-14 text-ink-2">
          {title}, {client_name}
        </bdi>
        {window && <span className="block text-14 text-ink-2">{window}</span>}
        {isDone && <span className="sr-only">, done</span>}
      </span>
    </>
  );
  return (
    <li>
      {place ? (
        <button
          type="button"
          aria-pressed={isShown}
          className="-mx-2 flex min-h-12 w-full items-center gap-3 rounded-small px-2 py-2 hover:bg-sunken"
          onClick={onShow}
        >
          {text}
        </button>
      ) : (
        <div className="flex min-h-12 items-center gap-3 py-2">{text}</div>
      )}
      {leg && (
        <p className="num ml-4 border-l-2 border-dotted border-line py-1 pl-7 text-14 text-ink-2">
          {leg.text}
          {leg.problem && (
            <Chip kind="danger" icon={<TriangleAlert aria-hidden />} className="my-1">
              {leg.problem}
            </Chip>
          )}
        </p>
      )}
    </li>
  );
}

const NONE: readonly DayStop[] = [];

/** Ways that the router of this phone found, by the index of the stop before; -1 for none. */
interface FoundWays {
  meters: number[];
  minutes: number[];
}

/** Looks for the ways between the stops on the map of this phone, one after the other; no server hears of it. */
function useFoundWays(stops: readonly DayStop[]): FoundWays {
  const [found, setFound] = useState<{ key: string; ways: FoundWays }>();
  const [tiles, setTiles] = useState(0);
  useEffect(() => onMapChange(() => setTiles((it) => it + 1)), []);
  const pairs = useMemo(() => stops.map((it, index) => pairOf(it.place, stops[index + 1]?.place)), [stops]);
  const key = JSON.stringify(pairs);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const meters: number[] = [];
      const minutes: number[] = [];
      for (const pair of JSON.parse(key) as (readonly [Place, Place] | null)[]) {
        // Where a part of the map is missing the estimate stays.
        const answer = pair && (await findWay(...pair).catch(() => undefined));
        const way = answer?.status === "ok" ? answer.value : undefined;
        meters.push(way ? way.distance : -1);
        minutes.push(way ? Math.ceil(way.duration / 60) : -1);
        if (!isCurrent) return;
      }
      setFound({ key, ways: { meters, minutes } });
    };
    void look();
    return () => {
      isCurrent = false;
    };
  }, [key, tiles]);
  return found?.key === key ? found.ways : NOTHING;
}

const NOTHING: FoundWays = { meters: [], minutes: [] };

const pairOf = (from: Place | null | undefined, to: Place | null | undefined): readonly [Place, Place] | null =>
  from && to && (from.lat_e7 !== to.lat_e7 || from.lon_e7 !== to.lon_e7) ? [from, to] : null;
