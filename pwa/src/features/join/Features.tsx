/** Owns what the join page says that Walkies does, each beside the screen that does it. */
import { Footprints, Inbox, type LucideIcon, MailCheck, Route, WifiOff } from "lucide-react";
import { cx } from "../../ui";
import { Shot, type ShotName } from "./Shot";

interface Feature {
  icon: LucideIcon;
  title: string;
  text: string;
  points: readonly string[];
  shot: ShotName;
  alt: string;
}

const FEATURES: readonly Feature[] = [
  {
    icon: Route,
    title: "A new round every day",
    text: "Say how long and how many dogs. Three loops from the client's door, worked out on your phone.",
    points: ["By park, shade, hills and water", "Turn by turn, aloud if you like", "Works without a network"],
    shot: "routes",
    alt: "Three walks from a client's door on a map, with their time, length and what is along the way",
  },
  {
    icon: Footprints,
    title: "Walks that record themselves",
    text: "Time, distance and the track, while you hold the leash. Log anything with one tap.",
    points: [
      "Photo, potty, water, note, break",
      "Survives a phone that runs out",
      "Stays on your phone until you share it",
    ],
    shot: "walk",
    alt: "A walk under way: time and distance, the track on the map, and five large buttons for what happens",
  },
  {
    icon: MailCheck,
    title: "A report that clients show around",
    text: "Send a link when you are done: the map, the photos, how it went. Your name on top, not ours.",
    points: ["Each client sees their own pets", "You choose what is in it", "Taken back whenever you want"],
    shot: "report",
    alt: "A shared report as a client sees it: the map of the walk, its time and distance, and the notes",
  },
  {
    icon: Inbox,
    title: "Requests you answer with a tap",
    text: "Who asks for what, when, and whether it fits your day. Approve, and it's in your calendar.",
    points: ["The price is worked out", "See conflicts before you accept", "Your hours, your breaks, your days off"],
    shot: "requests",
    alt: "Requests for walks, each with its pets, its time and its price, and buttons to approve or decline",
  },
];

export function Features() {
  return (
    <>
      <section aria-labelledby="join-offline" className="bg-sunken">
        <div className="join-wide mx-auto flex flex-wrap gap-x-5 gap-y-3 px-5 py-8 md:px-8">
          <span className="grid size-16 place-items-center rounded-full bg-tag-soft text-tag-ink">
            <WifiOff aria-hidden className="size-7" />
          </span>
          <div className="grid flex-1 basis-80 gap-1">
            <h2 id="join-offline" className="text-28 font-bold text-balance">
              No signal in the stairwell? Carry on.
            </h2>
            <p className="max-w-[60ch] text-ink-2 text-pretty">
              The day, the door code, the map, the walk: all of it works with no network. What you did is sent when you
              are back, in order, once. Nothing is lost, and nothing is asked of you.
            </p>
          </div>
        </div>
      </section>
      {FEATURES.map((it, index) => (
        <FeatureRow key={it.shot} feature={it} isMirrored={index % 2 === 1} />
      ))}
    </>
  );
}

function FeatureRow({ feature, isMirrored }: { feature: Feature; isMirrored: boolean }) {
  const { icon: Icon, title, text, points, shot, alt } = feature;
  return (
    <section
      aria-labelledby={`join-${shot}`}
      className={cx("join-middle join-feature mx-auto px-5 py-8 md:px-8", isMirrored && "is-mirrored")}
    >
      <div className="grid gap-3">
        <span className="grid size-12 place-items-center rounded-full bg-tag-soft text-tag-ink">
          <Icon aria-hidden className="size-6" />
        </span>
        <h2 id={`join-${shot}`} className="text-28 font-bold text-balance">
          {title}
        </h2>
        <p className="max-w-[46ch] text-ink-2 text-pretty">{text}</p>
        <ul className="grid gap-1">
          {points.map((point) => (
            <li key={point} className="join-point flex items-baseline gap-2">
              {point}
            </li>
          ))}
        </ul>
      </div>
      <Shot name={shot} alt={alt} />
    </section>
  );
}
