/** Owns the steps of the set-up that ask for the profile: who the sitter is, and where they work. */
import { useState } from "react";
import type { Sitter } from "../../core";
import { business, useDraft } from "../../data";
import { type FieldError, Form, Skeleton, SubmitButton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { AreaFields } from "./AreaFields";
import { PersonFields } from "./PersonFields";
import { change, fieldsOf, NOTHING, type ProfileDraft, saveProfile, touched } from "./profile";
import { StepButtons } from "./StepButtons";
import { ZoneField } from "./ZoneField";

/** Fields that must be right before the next step. */
const FIELDS: Record<ProfileStepProps["step"], readonly string[]> = {
  profile: ["name", "business_name", "phone", "photo"],
  service_area: [
    "service_area_address",
    "service_area_lat",
    "service_area_lng",
    "service_area_radius_miles",
    "time_zone",
  ],
};

interface ProfileStepProps {
  sitter: Sitter;
  step: "profile" | "service_area";
  onBack: () => void;
  onDone: () => void;
}

export function ProfileStep({ sitter, step, onBack, onDone }: ProfileStepProps) {
  const key = `profile-setup:${step}`;
  const draft = useDraft<ProfileDraft>(key, NOTHING);
  const [errors, setErrors] = useState<FieldError[]>();
  const [problem, setProblem] = useState<string>();
  const fields = fieldsOf(sitter, draft.value.changes);
  const set = (changes: Partial<Sitter>) => change(draft, changes);

  const send = async () => {
    setProblem(undefined);
    const phone = await business().wholePhone();
    const missing = phone.profileMissing(JSON.stringify(draft.value.changes));
    const lacks = missing.filter((it) => FIELDS[step].includes(it.field));
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
      {step === "profile" ? (
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
            hint="All your business times use this time zone."
            value={fields.time_zone}
            onChange={(time_zone) => set({ time_zone })}
          />
        </>
      )}
      <StepButtons onBack={step === "profile" ? undefined : onBack}>
        <SubmitButton>Next</SubmitButton>
      </StepButtons>
    </Form>
  );
}
