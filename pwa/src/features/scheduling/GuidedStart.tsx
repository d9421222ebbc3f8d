/** Owns the card of the guided start on the schedule: its steps with their ticks, the next one open, and two ways out. */
import { ChevronRight, Circle, CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Guide } from "../../parts/guide/guide";
import { type GuideStep, useSteps } from "../../parts/guide/steps";
import { Button, cx, ProgressBar } from "../../ui";

export default function GuidedStart({ guide }: { guide: Guide }) {
  const steps = useSteps(guide);
  const count = steps.filter((it) => it.isDone).length;
  const next = steps.find((it) => !it.isDone);
  const { set, begin } = guide;
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(begin, []);
  return (
    <section aria-labelledby="guided-start" className="rounded-large border border-line bg-card">
      <div className="grid gap-2 px-4 pt-4 pb-2">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id="guided-start" className="font-bold">
            First steps
          </h2>
          <p className="num shrink-0 text-14 text-ink-2">
            {count} of {steps.length}
          </p>
        </div>
        <ProgressBar label="First steps done" value={count} max={steps.length} />
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.to} className="px-2">
            <StepLine step={step} isNext={step === next} />
          </li>
        ))}
      </ol>
      <div className="mt-1 flex flex-wrap justify-between border-t border-line px-1">
        <Button kind="plain" className="px-3! text-14!" onClick={() => set("folded")}>
          Not now
        </Button>
        <Button kind="plain" className="px-3! text-14! font-medium! text-ink-2" onClick={() => set("over")}>
          Don't show again
        </Button>
      </div>
    </section>
  );
}

const LINE = "flex min-h-12 items-center gap-3 rounded-small px-2 py-1";

function StepLine({ step: { title, why, to, isDone }, isNext }: { step: GuideStep; isNext: boolean }) {
  if (isDone) {
    return (
      <p className={cx(LINE, "text-ink-3")}>
        <CircleCheck aria-hidden className="size-5 shrink-0 text-completed" />
        <span className="min-w-0 flex-1">
          {title}
          <span className="sr-only">, done</span>
        </span>
      </p>
    );
  }
  return (
    <Link to={to} className={cx(LINE, "-outline-offset-3 transition-colors hover:bg-sunken")}>
      <Circle aria-hidden className={cx("size-5 shrink-0", isNext ? "text-ink" : "text-edge")} />
      <span className="min-w-0 flex-1">
        <span className={cx("block", isNext && "font-bold")}>{title}</span>
        {isNext && <span className="block text-14 text-ink-2 text-pretty">{why}</span>}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
    </Link>
  );
}
