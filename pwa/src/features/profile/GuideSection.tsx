/** Owns the way back to a guided start that was put off. */
import { Suspense } from "react";
import { useLocation } from "wouter";
import { Section } from "../../parts/account/Section";
import { type Guide, useGuide } from "../../parts/guide/guide";
import { useSteps } from "../../parts/guide/steps";
import { Button, ProgressBar, Skeleton } from "../../ui";

export function GuideSection() {
  const guide = useGuide();
  if (!guide.done || !guide.isFolded) return null;
  return (
    <Section id="profile-start" title="First steps">
      <Suspense fallback={<Skeleton className="h-18 w-full" />}>
        <Folded guide={guide} />
      </Suspense>
    </Section>
  );
}

function Folded({ guide }: { guide: Guide }) {
  const [, navigate] = useLocation();
  const steps = useSteps(guide);
  const count = steps.filter((it) => it.isDone).length;
  const next = steps.find((it) => !it.isDone);
  const takeUp = () => {
    guide.set("open");
    navigate("/scheduling");
  };
  return (
    <>
      <div className="grid gap-2">
        <ProgressBar label="First steps done" value={count} max={steps.length} />
        <p className="num text-14 text-ink-2">
          {count} of {steps.length} done. {next && `Next: ${next.title}`}
        </p>
      </div>
      <Button kind="quiet" onClick={takeUp}>
        Continue the first steps
      </Button>
    </>
  );
}
