/** Owns the row of steps above the one that is open: which are done, and a way to each of them. */
import { Check } from "lucide-react";
import type { OnboardingStep } from "../../core";
import { cx } from "../../ui";
import { NEEDED, type SetupPlace, STEPS } from "./setupSteps";

interface StepListProps {
  current: SetupPlace | undefined;
  isDone: (step: OnboardingStep) => boolean;
  onGo: (to: SetupPlace) => void;
}

const isNeeded = (step: OnboardingStep): boolean => NEEDED.some((it) => it.step === step);

export function StepList({ current, isDone, onGo }: StepListProps) {
  return (
    <nav aria-label="Steps">
      <ol className="flex flex-wrap gap-2">
        {STEPS.map(({ step, title }) => (
          <li key={step}>
            <button
              type="button"
              aria-current={step === current ? "step" : undefined}
              onClick={() => onGo(step)}
              className={cx(
                "inline-flex min-h-12 items-center gap-1 rounded-full border px-4 text-14 font-medium transition-colors",
                step === current ? "border-act bg-act text-on-act" : "border-line bg-card text-ink hover:bg-sunken",
              )}
            >
              {isDone(step) ? (
                <Check aria-hidden className="size-4" />
              ) : (
                isNeeded(step) && (
                  <span aria-hidden className="num">
                    {NEEDED.findIndex((it) => it.step === step) + 1}
                  </span>
                )
              )}
              {isNeeded(step) || isDone(step) ? title : `${title} (optional)`}
              {isDone(step) && <span className="sr-only">, done</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
