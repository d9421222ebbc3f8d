/**
 * Owns the screen of a walk that goes on (SPEC 4, Active walk): time, distance, pace, the track, five events, pause, end,
 * emergency. Everything that must be hit lies where one thumb is; what must not be hit by rain has to be held.
 */
import { ChevronDown, KeyRound, Moon, Pause, Play, Sun, TriangleAlert } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useNow } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import { lineOf, type WalkEventKind, walkTexts } from "../../core/walk";
import { useReplica } from "../../data";
import { preparePhoto } from "../../data/photos/preparePhoto";
import { TrackMap, WalkEventIcon } from "../../map";
import { Banner, Button, cx, IconButton } from "../../ui";
import { HoldButton } from "../../ui/HoldButton";
import { useClientsAlong, useDogsAlong } from "./along";
import { BlankGround } from "./BlankGround";
import { DogPicker } from "./DogPicker";
import { DoorCard } from "./DoorCard";
import { DoorDialog } from "./DoorDialog";
import { EmergencyMode } from "./EmergencyMode";
import { GuidanceCard } from "./GuidanceCard";
import { NoteDialog } from "./NoteDialog";
import { PocketScreen } from "./PocketScreen";
import type { TrackedWalk } from "./tracker";
import * as tracker from "./tracker";
import { clientsOf, clock, EVENT_NAMES, eventText, who } from "./words";

/** What the figures, with the card of a planned route below them, and the sheet cover of the map, in px. */
const COVERED = { figures: [152, 268], route: [270, 268] } as const;
/** On its side the sheet is beside the map. */
const COVERED_SIDEWAYS = { figures: [136, 0], route: [254, 0] } as const;

/** The question of which dogs, at the head of the sheet. */
const QUESTION_PX = 60;

function coveredBy(what: keyof typeof COVERED, isAsked: boolean): [top: number, bottom: number] {
  const isSideways = matchMedia("(width >= 40rem) and (height < 30rem)").matches;
  const [top, bottom] = (isSideways ? COVERED_SIDEWAYS : COVERED)[what];
  return [top, isAsked && !isSideways ? bottom + QUESTION_PX : bottom];
}

export function ActiveWalk({ tracked }: { tracked: TrackedWalk }) {
  const { row, recording, walk, problem, storageTrouble, awake, guidance } = tracked;
  const now = useNow();
  const [, navigate] = useLocation();
  const units = useReplica((phone) => phone.units());
  const figures = recording.figures(now, units);
  const [inPocket, setInPocket] = useState(false);
  const [noting, setNoting] = useState(false);
  const [atDoor, setAtDoor] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const camera = useRef<HTMLInputElement>(null);

  const geometry = row.plan?.route.geometry;
  const planned = useMemo(() => (geometry ? lineOf(geometry) : undefined), [geometry]);
  const last = walk.events.at(-1);
  const clients = clientsOf(row);
  const along = useClientsAlong(row);
  const dogs = useDogsAlong(row);
  /** The event of which it is asked which dogs it is of. */
  const [asked, setAsked] = useState<string>();
  const askedOf = dogs.length > 1 ? walk.events.find((it) => it.id === asked) : undefined;

  if (walk.status === "emergency") return <EmergencyMode tracked={tracked} />;
  const paused = walk.status === "paused";

  const takePhoto = async (file: File | undefined) => {
    if (!file) return;
    const prepared = await preparePhoto(file);
    if (!prepared.ok) return setTrouble(prepared.text);
    try {
      setAsked(await tracker.logPhoto(prepared.photo));
      setTrouble(undefined);
    } catch {
      setTrouble(deviceText("This phone has no room for the photo."));
    }
  };
  const log = (kind: WalkEventKind) => {
    navigator.vibrate?.(20);
    void tracker.logEvent(kind).then(setAsked);
  };

  return (
    <div className="fixed inset-0 overflow-hidden bg-sunken select-none">
      {(walk.here || planned) && (
        <TrackMap
          className="absolute inset-0 sideways:right-1/2"
          lines={walk.lines}
          gaps={walk.gaps}
          events={walk.events}
          planned={planned}
          here={walk.here ?? undefined}
          heading={walk.heading ?? undefined}
          units={units}
          follow
          covered={coveredBy(guidance ? "route" : "figures", askedOf !== undefined)}
        />
      )}
      {!walk.here && !problem && (
        <p className="pointer-events-none absolute inset-x-0 bottom-72 z-1 text-center text-ink-2 sideways:right-1/2 sideways:bottom-8">
          Looking for your position…
        </p>
      )}

      <div className="absolute inset-x-4 top-0 mx-auto grid max-h-[max(28dvh,calc(100dvh-18rem))] max-w-110 grid-cols-1 gap-2 overflow-y-auto pt-[max(16px,env(safe-area-inset-top))] sideways:max-h-dvh sideways:right-[calc(50%+1rem)] sideways:left-[max(1rem,env(safe-area-inset-left))]">
        <div className="rounded-[22px] border border-line bg-card/94 px-4 py-3">
          <div className="flex items-start justify-between gap-2">
            <div className="line-clamp-2 min-w-0 text-14 wrap-anywhere">
              <h1 className="inline font-bold">
                <span className="sr-only">Walk with </span>
                {row.title}
              </h1>
              {clients && <span className="text-ink-2"> · {clients}</span>}
            </div>
            {along.length > 0 && (
              // As tall as the line beside it, for the thumb as large as any other.
              <IconButton label="How to get in" className="-my-3 -mr-3 shrink-0" onClick={() => setAtDoor(true)}>
                <KeyRound />
              </IconButton>
            )}
          </div>
          <dl className="num flex flex-wrap items-end gap-x-5">
            <Figure large value={figures.time}>
              {paused ? "paused" : row.planned_minutes ? `of about ${row.planned_minutes} min` : "time"}
            </Figure>
            <Figure value={figures.distance}>{figures.at_least ? "at least" : "distance"}</Figure>
            <Figure value={figures.pace || "–"}>{figures.pace_unit}</Figure>
          </dl>
        </div>
        {guidance && <GuidanceCard tracked={tracked} guidance={guidance} />}
        {along.map(
          ({ client }) =>
            client.access_notes && walk.doors.includes(client.id) && <DoorCard key={client.id} client={client} />,
        )}
        {problem && (
          <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
            {problem}
          </Banner>
        )}
        {storageTrouble && (
          <Banner kind="danger" role="alert" icon={<TriangleAlert aria-hidden />}>
            {deviceText("This phone does not store the walk right now. Keep Walkies open; it tries again by itself.")}
          </Banner>
        )}
        {!problem && !awake && !paused && (
          <Banner icon={<Sun aria-hidden />}>Keep the screen on: a dark phone does not say where it is.</Banner>
        )}
        <BlankGround place={walk.here?.place ?? planned?.[0]} />
      </div>

      <section
        aria-label="Walk"
        data-acts="walk"
        className="absolute inset-x-0 bottom-0 z-1 max-h-[72dvh] overflow-y-auto rounded-t-[26px] border-t border-line bg-card px-4 pt-1 pb-[max(16px,env(safe-area-inset-bottom))] sideways:top-0 sideways:left-1/2 sideways:grid sideways:max-h-none sideways:content-center sideways:rounded-none sideways:border-t-0 sideways:border-l"
      >
        <div className="mx-auto grid w-full max-w-110 grid-cols-[minmax(0,1fr)] gap-3">
          {askedOf && <DogPicker event={askedOf} dogs={dogs} onDone={() => setAsked(undefined)} />}
          <div className="flex items-center gap-1">
            <IconButton label="To the schedule; the walk goes on" onClick={() => navigate("/scheduling")}>
              <ChevronDown />
            </IconButton>
            <div role="status" className="num min-w-0 flex-1 truncate text-center text-14 text-ink-2">
              {trouble ??
                (last
                  ? `${clock(last.timestamp)} ${eventText(last, dogs)}`
                  : walk.here && !problem
                    ? walkTexts().started
                    : "Time runs, without a position")}
            </div>
            {last && last.type !== "photo" && (
              <Button
                kind="plain"
                className="px-2! text-14! underline underline-offset-2"
                onClick={() => void tracker.removeEvent(last.id)}
              >
                Undo
              </Button>
            )}
            <IconButton label="Dark screen for the pocket" onClick={() => setInPocket(true)}>
              <Moon />
            </IconButton>
          </div>
          {/* Five in a row, or fewer where the text is large. */}
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(3.5rem,28%),1fr))] gap-2">
            <EventButton kind="photo" onClick={() => camera.current?.click()} />
            <EventButton kind="potty" onClick={() => log("potty")} />
            <EventButton kind="water" onClick={() => log("water")} />
            <EventButton kind="note" onClick={() => setNoting(true)} />
            <EventButton kind="break" onClick={() => log("break")} />
          </div>
          <div className="sticky bottom-0 flex flex-wrap gap-2 bg-card">
            {paused ? (
              <Button
                className="flex-1"
                icon={<Play aria-hidden className="size-5" />}
                onClick={() => void tracker.resume()}
              >
                Resume
              </Button>
            ) : (
              <Button
                kind="quiet"
                className="flex-1"
                icon={<Pause aria-hidden className="size-5" />}
                onClick={() => void tracker.pause()}
              >
                Pause
              </Button>
            )}
            <HoldButton
              kind={paused ? "quiet" : "primary"}
              className="flex-1"
              question="End the walk?"
              onHold={() => void tracker.end()}
            >
              Hold to end
            </HoldButton>
            <HoldButton
              kind="quiet"
              holdMs={600}
              className="w-12 shrink-0 px-0 text-danger!"
              question="Start emergency mode?"
              onHold={() => void tracker.emergency()}
            >
              <TriangleAlert aria-hidden className="size-[22px]" />
              <span className="sr-only">Hold for emergency</span>
            </HoldButton>
          </div>
        </div>
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          aria-label="Take a photo"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const { files } = event.currentTarget;
            void takePhoto(files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </section>

      {noting && <NoteDialog walkId={row.id} onLogged={setAsked} onClose={() => setNoting(false)} />}
      {atDoor && <DoorDialog clients={along} onClose={() => setAtDoor(false)} />}
      {inPocket && (
        <PocketScreen
          name={who(row)}
          figures={figures}
          guidance={guidance}
          paused={paused}
          onUnlock={() => setInPocket(false)}
        />
      )}
    </div>
  );
}

function Figure({ value, large, children }: { value: string; large?: boolean; children: ReactNode }) {
  return (
    <div className={cx("flex flex-col-reverse", !large && "flex-1")}>
      {/* Of the small ones the figure says how wide it is, and not the word below it. */}
      <dt className={cx("text-12 text-ink-2", large ? "whitespace-nowrap" : "w-0 min-w-full truncate")}>{children}</dt>
      <dd className={cx("font-bold whitespace-nowrap", large ? "text-40" : "text-20")}>{value}</dd>
    </div>
  );
}

function EventButton({ kind, onClick }: { kind: WalkEventKind; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="grid touch-manipulation justify-items-center gap-1.5 text-12 font-medium text-ink-2 active:scale-95"
    >
      <span className="grid h-14 w-full max-w-16 place-items-center rounded-[20px] border border-line bg-paper text-ink [&>svg]:size-[26px]">
        <WalkEventIcon kind={kind} />
      </span>
      {EVENT_NAMES[kind]}
    </button>
  );
}
