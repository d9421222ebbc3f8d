/** Owns the completion of a profile (SPEC 2): you, area, hours, one calm step after the other, then the schedule. */
import { Check } from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Sitter } from "../../core";
import { business, useDraft, useReplica } from "../../data";
import { Button, Card, cx, type FieldError, Form, PageBody, PageHeader, Skeleton, SubmitButton, toast } from "../../ui";
import { Restored } from "../../ui/Restored";
import { AreaFields } from "./AreaFields";
import { HoursStep } from "./HoursStep";
import { PersonFields } from "./PersonFields";
import { change, fieldsOf, NOTHING, type ProfileDraft, saveProfile, touched } from "./profile";
import { ZoneField } from "./ZoneField";

const STEPS = [
  { title: "You", sub: "Clients want to know who comes." },
  { title: "Area", sub: "Where you work, and how far you go." },
  { title: "Hours", sub: "When services can be booked with you." },
] as const;

export default function ProfileSetupScreen() {
  const sitter = useReplica((phone) => phone.sitter());
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const asked = Number(params.get("step"));
  const step = asked === 2 || asked === 3 ? asked : 1;
  const go = (to: number) => {
    setParams(to === 1 ? {} : { step: String(to) });
    window.scrollTo(0, 0);
  };
  const finish = () => {
    // A step may have been left out by its address.
    const { isComplete } = business().phone.profileStatus();
    toast.success(isComplete ? "Your profile is complete" : "Your hours are saved");
    navigate("/scheduling");
  };
  const { title, sub } = STEPS[step - 1] ?? STEPS[0];
  return (
    <>
      <PageHeader title="Complete your profile" sub={`Step ${step} of ${STEPS.length}`} />
      <PageBody className="grid grid-cols-1 gap-4">
        <div className="grid w-full max-w-160 grid-cols-1 gap-4">
          <Steps current={step} onGo={go} />
          <Card className="grid grid-cols-1 gap-4 md:p-5">
            <div>
              <h2 className="text-20 font-bold">{title}</h2>
              <p className="text-ink-2">{sub}</p>
            </div>
            {!sitter ? (
              <Skeleton className="h-80 w-full" />
            ) : step === 3 ? (
              <HoursStep onBack={() => go(2)} onDone={finish} />
            ) : (
              <ProfileStep
                key={step}
                sitter={sitter}
                step={step}
                onBack={() => go(step - 1)}
                onDone={() => go(step + 1)}
              />
            )}
          </Card>
          <Link
            to="/scheduling"
            className="inline-flex min-h-12 items-center justify-self-center px-3 text-14 font-bold text-ink-2 underline underline-offset-2"
          >
            Finish this later
          </Link>
        </div>
      </PageBody>
    </>
  );
}

function Steps({ current, onGo }: { current: number; onGo: (step: number) => void }) {
  return (
    <nav aria-label="Steps">
      <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(5rem,30%)),1fr))] gap-2">
        {STEPS.map(({ title }, index) => {
          const step = index + 1;
          const isDone = step < current;
          return (
            <li key={title}>
              <button
                type="button"
                disabled={step > current}
                aria-current={step === current ? "step" : undefined}
                onClick={() => onGo(step)}
                className={cx(
                  "flex min-h-12 w-full items-center gap-2 border-t-4 pt-1 text-14 font-medium",
                  step <= current ? "border-act text-ink" : "border-line text-ink-3",
                )}
              >
                {isDone ? <Check aria-hidden className="size-4" /> : <span className="num">{step}</span>}
                {title}
                {isDone && <span className="sr-only">, done</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Which fields must be right before the next step. */
const FIELDS: Record<1 | 2, readonly string[]> = {
  1: ["name", "business_name", "phone", "photo"],
  2: ["service_area_address", "service_area_lat", "service_area_lng", "service_area_radius_miles", "time_zone"],
};

interface ProfileStepProps {
  sitter: Sitter;
  step: 1 | 2;
  onBack: () => void;
  onDone: () => void;
}

function ProfileStep({ sitter, step, onBack, onDone }: ProfileStepProps) {
  const key = `profile-setup:${step}`;
  const draft = useDraft<ProfileDraft>(key, NOTHING);
  const [errors, setErrors] = useState<FieldError[]>();
  const [problem, setProblem] = useState<string>();
  const fields = fieldsOf(sitter, draft.value.changes);
  const set = (changes: Partial<Sitter>) => change(draft, changes);

  const send = async () => {
    setProblem(undefined);
    const lacks = business()
      .phone.profileMissing(JSON.stringify(draft.value.changes))
      .filter((it) => FIELDS[step].includes(it.field));
    if (lacks.length > 0) {
      setErrors(lacks);
      return;
    }
    if (Object.keys(touched(sitter, draft.value)).length > 0) {
      try {
        const result = await saveProfile(sitter, draft.value, { key, base_rev: draft.base_rev });
        if (!result.ok) {
          setErrors(result.fields);
          if (result.fields.length === 0) setProblem(result.text);
          return;
        }
      } catch {
        setProblem("Failed to save profile");
        return;
      }
    }
    draft.clear();
    onDone();
  };

  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      {step === 1 ? (
        <PersonFields
          fields={fields}
          unsaved={draft.value.photos}
          onChange={set}
          onPhoto={(photo) =>
            draft.set({ changes: { ...draft.value.changes, photo: photo.id }, photos: [...draft.value.photos, photo] })
          }
        />
      ) : (
        <>
          <AreaFields fields={fields} onChange={set} />
          <ZoneField
            name="time_zone"
            label="Time zone"
            hint="All times of your business are meant in it."
            value={fields.time_zone}
            onChange={(time_zone) => set({ time_zone })}
          />
        </>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1 md:justify-end md:*:flex-none">
        {step > 1 && (
          <Button kind="quiet" onClick={onBack}>
            Back
          </Button>
        )}
        <SubmitButton>Next</SubmitButton>
      </div>
    </Form>
  );
}
