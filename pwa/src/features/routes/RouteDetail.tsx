/** Owns everything about one route, in three tabs: what it is like, where it turns, what to look out for (SPEC 2). */
import { Check, CloudSun, Droplet, Flag, ShieldCheck, TrafficCone, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  formatDistance,
  formatNames,
  type GeneratedRoute,
  type RouteStop,
  type RouteWarning,
  type Units,
} from "../../core";
import { ManeuverIcon } from "../../parts/ManeuverIcon";
import { length } from "../../parts/walk/walkText";
import { EmptyState, Tabs } from "../../ui";
import { approachText, KIND_WORDS } from "./RouteOptions";

type Tab = "overview" | "directions" | "safety";

const TABS: { id: Tab; label: string }[] = [
  { id: "overview", label: "Overview" },
  { id: "directions", label: "Directions" },
  { id: "safety", label: "Safety" },
];

interface RouteDetailProps {
  route: GeneratedRoute;
  units: Units;
}

export function RouteDetail({ route, units }: RouteDetailProps) {
  const [tab, setTab] = useState<Tab>("overview");
  return (
    <Tabs label="Route" items={TABS} value={tab} onChange={setTab}>
      {tab === "overview" && <Overview route={route} units={units} />}
      {tab === "directions" && <Directions route={route} units={units} />}
      {tab === "safety" && <Safety route={route} units={units} />}
    </Tabs>
  );
}

function Overview({ route, units }: RouteDetailProps) {
  const kind = KIND_WORDS[route.kind];
  const differs = [route.notice, approachText(route, units)].filter((it) => it !== undefined);
  return (
    <div className="grid grid-cols-1 gap-5">
      {differs.map((it) => (
        <p key={it} className="text-pretty">
          {it}
        </p>
      ))}
      <dl className="num grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-3">
        <Figure name="time" value={length(route.duration * 1000)} />
        <Figure name="distance" value={formatDistance(route.distance, units)} />
        <Figure name="climb" value={route.elevation_gain >= 1 ? formatDistance(route.elevation_gain, units) : "–"} />
      </dl>
      {(kind || route.features.length > 0) && (
        <ul className="grid gap-2">
          {[kind, ...route.features].map(
            (it) =>
              it && (
                <li key={it} className="flex items-start gap-3">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-completed" />
                  {it}
                </li>
              ),
          )}
        </ul>
      )}
      <Stops
        title="Water"
        stops={route.waterStops}
        none="None is known on this route."
        units={units}
        icon={<Droplet aria-hidden />}
      />
      <Stops title="Where to rest" stops={route.restPoints} units={units} icon={<Flag aria-hidden />} />
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col-reverse rounded-large border border-line bg-card p-3">
      <dt className="text-12 text-ink-2">{name}</dt>
      <dd className="text-20 font-bold whitespace-nowrap">{value}</dd>
    </div>
  );
}

interface StopsProps {
  title: string;
  stops: RouteStop[] | undefined;
  /** The sentence for stops that were asked for and are not there. */
  none?: string;
  units: Units;
  icon: ReactNode;
}

function Stops({ title, stops, none, units, icon }: StopsProps) {
  if (!stops || (stops.length === 0 && !none)) return null;
  return (
    <section className="grid gap-2">
      <h3 className="font-bold">{title}</h3>
      {stops.length === 0 && <p className="text-ink-2">{none}</p>}
      <ul className="grid gap-2">
        {stops.map((it) => (
          <li
            key={`${it.name} ${it.distance}`}
            className="flex flex-wrap items-center gap-x-3 [&>svg]:size-5 [&>svg]:text-scheduled"
          >
            {icon}
            <span className="min-w-0 flex-1 basis-24">{it.name}</span>
            <span className="num text-14 text-ink-2">after {formatDistance(it.distance, units)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Directions({ route, units }: RouteDetailProps) {
  return (
    <ol className="grid">
      {route.steps.map((step, at) => (
        <li
          // A walk may say the same at two places.
          key={at}
          className="flex min-h-14 items-center gap-4 border-b border-line py-2 last:border-0"
        >
          <ManeuverIcon maneuver={step.maneuver} className="size-6 shrink-0 text-ink" />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
            <span className="min-w-0 flex-1 basis-[min(100%,8rem)] text-pretty">{step.instruction}</span>
            {step.distance > 0 && (
              <span className="num text-14 whitespace-nowrap text-ink-2">{formatDistance(step.distance, units)}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Safety({ route, units }: RouteDetailProps) {
  if (route.warnings.length === 0 && !route.weatherAdvice?.length) {
    return (
      <EmptyState icon={<ShieldCheck aria-hidden />} title="Nothing to look out for">
        Based on the map, which may be out of date. Keep your eyes open.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-5">
      {route.warnings.length > 0 && (
        <ul className="grid gap-3">
          {joined(route.warnings).map((it) => (
            <li key={it.text} className="flex items-start gap-3">
              {it.kind === "busy_crossing" ? (
                <TrafficCone aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
              ) : (
                <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
              )}
              <span className="flex-1 text-pretty">
                {it.text}
                {it.after.length > 0 && (
                  <span className="num block text-14 text-ink-2">
                    after {formatNames(it.after.map((meters) => formatDistance(meters, units)))}
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {route.weatherAdvice?.map((it) => (
        <p key={it} className="flex items-start gap-3 text-pretty">
          <CloudSun aria-hidden className="mt-0.5 size-5 shrink-0 text-tag-ink" />
          {it}
        </p>
      ))}
    </div>
  );
}

interface JoinedWarning {
  kind: RouteWarning["kind"];
  text: string;
  /** Meters from the start, of each place; none where it holds of the whole route. */
  after: number[];
}

/** One warning for each text, with all places that it holds of. */
function joined(warnings: readonly RouteWarning[]): JoinedWarning[] {
  const byText = new Map<string, JoinedWarning>();
  for (const { kind, text, distance } of warnings) {
    const known = byText.get(text) ?? { kind, text, after: [] };
    if (distance !== undefined) known.after.push(distance);
    byText.set(text, known);
  }
  return [...byText.values()];
}
