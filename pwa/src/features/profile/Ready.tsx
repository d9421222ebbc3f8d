/** Owns the end of the set-up: that the calendar is ready, or what it still lacks. */
import { ChevronRight, Circle } from "lucide-react";
import { useEffect, useRef } from "react";
import type { OnboardingStep } from "../../core";
import { ButtonLink, Card } from "../../ui";
import { type SetupPlace, STEPS } from "./setupSteps";

interface ReadyProps {
  left: readonly OnboardingStep[];
  onGo: (to: SetupPlace) => void;
}

export function Ready({ left, onGo }: ReadyProps) {
  const isReady = left.length === 0;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Card className="grid grid-cols-1 gap-4 md:p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-28 font-bold outline-none">
          {isReady ? "Your calendar is ready" : "Nearly there"}
        </h2>
        <p className="text-ink-2 text-pretty">
          {isReady
            ? "Clients know who comes and where, and your hours can be booked. Your first client is next."
            : "Finish this before clients can book you. Everything else is saved."}
        </p>
      </div>
      {!isReady && (
        <ul className="grid">
          {STEPS.filter((it) => left.includes(it.step)).map(({ step, title, sub }) => (
            <li key={step}>
              <button
                type="button"
                onClick={() => onGo(step)}
                className="-mx-2 flex min-h-14 w-full items-center gap-3 rounded-small px-2 py-2 text-left -outline-offset-3 transition-colors hover:bg-sunken"
              >
                <Circle aria-hidden className="size-5 shrink-0 text-edge" />
                <span className="min-w-0 flex-1">
                  <span className="block font-bold">{title}</span>
                  <span className="block text-14 text-ink-2 text-pretty">{sub}</span>
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ButtonLink to="/scheduling" kind={isReady ? "primary" : "quiet"} wide>
        Open your calendar
      </ButtonLink>
    </Card>
  );
}
