/** Owns the public front page: what Walkies is, and the two ways in. */
import { CalendarCheck, Footprints, type LucideIcon, WifiOff } from "lucide-react";
import { useEffect } from "react";
import { ButtonLink } from "../../ui";
import { Logo } from "../../ui/Logo";

const REASONS: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: CalendarCheck,
    title: "The next visit, at a glance",
    text: "Who, where, which key, what care. Prices and free times are worked out for you.",
  },
  {
    icon: Footprints,
    title: "Walks that remember",
    text: "Time, distance and what happened on the way, with one thumb. The track stays on your phone until you share it.",
  },
  {
    icon: WifiOff,
    title: "No network, no problem",
    text: "Everything works in the deepest stairwell and is sent, once, when you are back.",
  },
];

export default function WelcomeScreen() {
  useEffect(() => {
    document.title = "Walkies";
  }, []);
  return (
    <div className="pt-safe pb-safe">
      <main className="mx-auto grid min-h-dvh w-full max-w-220 content-center gap-8 px-5 py-8 md:px-8">
        <header className="grid gap-4">
          <Logo className="size-16" />
          <h1 className="max-w-[16ch] text-40 font-bold">A calm day of walks and visits</h1>
          <p className="max-w-[48ch] text-20 text-ink-2 text-pretty">
            Walkies helps independent pet sitters run their business: clients and pets, schedule, walks.
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/sitters/join">Join as a sitter</ButtonLink>
            <ButtonLink to="/auth/login" kind="quiet">
              Sign in
            </ButtonLink>
          </div>
        </header>
        <ul className="grid gap-3 md:grid-cols-3">
          {REASONS.map(({ icon: Icon, title, text }) => (
            <li key={title} className="grid content-start gap-2 rounded-large border border-line bg-card p-4">
              <span className="grid size-11 place-items-center rounded-full bg-tag-soft text-tag-ink">
                <Icon aria-hidden className="size-[22px]" />
              </span>
              <h2 className="text-16 font-bold">{title}</h2>
              <p className="text-14 text-ink-2 text-pretty">{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  );
}
