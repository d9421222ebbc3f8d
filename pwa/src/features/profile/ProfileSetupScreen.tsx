/**
 * Owns the way from a new account to a calendar that can be used (SPEC 2): one calm step after the other. Each saves what
 * it has asked for, and the rows tell how far somebody is, so that it goes on from any phone after any break.
 */
import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "wouter";
import type { OnboardingStep, Sitter } from "../../core";
import { useReplica } from "../../data";
import { Card, PageBody, PageHeader, ProgressBar, Skeleton } from "../../ui";
import { DocumentsStep } from "./DocumentsStep";
import { HoursStep } from "./HoursStep";
import { OfferingsStep } from "./OfferingsStep";
import { ProfileStep } from "./ProfileStep";
import { Ready } from "./Ready";
import { StepList } from "./StepList";
import { placeBeside, placeOf, placeToGoOn, progressOf, READY, type SetupPlace, STEPS } from "./setupSteps";
import { useDocuments } from "./useDocuments";

export default function ProfileSetupScreen() {
  const sitter = useReplica((phone) => phone.sitter());
  const left = useReplica((phone) => (phone.sitter() ? phone.profileStatus().stepsLeft : undefined));
  const documents = useDocuments();
  const [place, go] = usePlace(left);
  const isDone = (step: OnboardingStep) =>
    step === "documents" ? (documents.list?.length ?? 0) > 0 : left !== undefined && !left.includes(step);
  const progress = left && progressOf(left);
  return (
    <>
      <PageHeader title="Complete your profile" sub={progress?.text} />
      <PageBody className="grid grid-cols-1 gap-4">
        <div className="grid w-full max-w-160 grid-cols-1 gap-4">
          <ProgressBar label="Steps done" value={progress?.done ?? 0} max={progress?.of ?? 1} />
          <StepList current={place} isDone={isDone} onGo={go} />
          {!sitter || !left || !place ? (
            <Skeleton className="h-110 w-full rounded-large" />
          ) : place === READY ? (
            <Ready left={left} onGo={go} />
          ) : (
            <Step key={place} place={place} sitter={sitter} documents={documents} go={go} />
          )}
          {place !== READY && (
            <Link
              to="/scheduling"
              className="inline-flex min-h-12 items-center justify-self-center px-3 text-14 font-bold text-ink-2 underline underline-offset-2"
            >
              Finish this later
            </Link>
          )}
        </div>
      </PageBody>
    </>
  );
}

/** The step that the address names, else the first that is left; its name then stands in the address. */
function usePlace(left: readonly OnboardingStep[] | undefined) {
  const [params, setParams] = useSearchParams();
  const named = placeOf(params.get("step"));
  const place = named ?? (left && placeToGoOn(left));
  const isNamed = named !== undefined;
  useEffect(() => {
    if (!isNamed && place) setParams({ step: place }, { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNamed, place]);
  const go = (to: SetupPlace) => {
    setParams({ step: to });
    window.scrollTo(0, 0);
  };
  return [place, go] as const;
}

interface StepProps {
  place: Exclude<SetupPlace, typeof READY>;
  sitter: Sitter;
  documents: ReturnType<typeof useDocuments>;
  go: (to: SetupPlace) => void;
}

function Step({ place, sitter, documents, go }: StepProps) {
  const { title, sub } = STEPS.find((it) => it.step === place) ?? { title: "", sub: "" };
  const heading = useRef<HTMLHeadingElement>(null);
  // Who goes on by keys or hears the screen is at the new step, and not at the button of the last one.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const around = { onBack: () => go(placeBeside(place, -1)), onDone: () => go(placeBeside(place, 1)) };
  return (
    <Card className="grid grid-cols-1 gap-4 md:p-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-20 font-bold outline-none">
          {title}
        </h2>
        <p className="text-ink-2 text-pretty">{sub}</p>
      </div>
      {place === "documents" ? (
        <DocumentsStep documents={documents} {...around} />
      ) : place === "offerings" ? (
        <OfferingsStep {...around} />
      ) : place === "availability" ? (
        <HoursStep {...around} />
      ) : (
        <ProfileStep sitter={sitter} step={place} {...around} />
      )}
    </Card>
  );
}
