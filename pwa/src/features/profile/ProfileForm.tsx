/** Owns the profile's form: who, how to reach, when and where; what is typed is kept until it is saved. */
import { useState } from "react";
import type { Sitter } from "../../core";
import { useDraft, useReplica } from "../../data";
import { Section } from "../../parts/account/Section";
import type { Fix } from "../../parts/attention/fix";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { useFixPhotos } from "../../parts/attention/waiting";
import { Button, type FieldError, Form, Skeleton, SubmitButton, TextField, toast } from "../../ui";
import { Restored } from "../../ui/Restored";
import { AreaFields } from "./AreaFields";
import { PersonFields } from "./PersonFields";
import { change, fieldsOf, NOTHING, type ProfileDraft, saveProfile, touched } from "./profile";
import { ZoneField } from "./ZoneField";

type ProfileFix = Fix<"update_profile">;

interface ProfileFormProps {
  sitter: Sitter;
  fix: ProfileFix | undefined;
  onFixed: () => void;
}

export function ProfileForm({ sitter, fix, onFixed }: ProfileFormProps) {
  const photos = useFixPhotos(fix);
  // A form that was saved is another form: it begins with what is stored then.
  const [saved, setSaved] = useState(0);
  return (
    <Section id="profile-person" title="You and your business">
      {photos && (
        <Fields
          key={`${saved} ${fix?.id ?? ""}`}
          sitter={sitter}
          fix={fix}
          first={fix ? { changes: fix.command.args.changes, photos } : NOTHING}
          onSaved={() => {
            setSaved(saved + 1);
            if (fix) onFixed();
          }}
        />
      )}
    </Section>
  );
}

interface FieldsProps extends Pick<ProfileFormProps, "sitter" | "fix"> {
  first: ProfileDraft;
  onSaved: () => void;
}

function Fields({ sitter, fix, first, onSaved }: FieldsProps) {
  const key = fix ? `profile:fix:${fix.id}` : "profile";
  const draft = useDraft<ProfileDraft>(key, first);
  const [errors, setErrors] = useState<FieldError[] | undefined>(
    fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined,
  );
  const [problem, setProblem] = useState<string>();
  const isPending = useReplica((phone) => phone.isPending("sitter", sitter.id));
  const fields = fieldsOf(sitter, draft.value.changes);
  const isTouched = Object.keys(touched(sitter, draft.value)).length > 0;

  const send = async () => {
    setProblem(undefined);
    try {
      const result = await saveProfile(sitter, draft.value, {
        key,
        resolves: fix?.id,
        base_rev: fix?.base_rev ?? draft.base_rev,
      });
      if (result.ok) {
        draft.clear();
        toast.success("Profile saved");
        onSaved();
        return;
      }
      setErrors(result.fields);
      if (result.fields.length === 0) setProblem(result.text);
    } catch {
      setProblem("Failed to save profile");
    }
  };
  const startOver = () => {
    draft.clear();
    setErrors(undefined);
    setProblem(undefined);
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      {draft.restored && isTouched && <Restored onStartOver={startOver} />}
      <PersonFields
        fields={fields}
        unsaved={draft.value.photos}
        onChange={(changes) => change(draft, changes)}
        onPhoto={(photo) =>
          draft.set({ changes: { ...draft.value.changes, photo: photo.id }, photos: [...draft.value.photos, photo] })
        }
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField
          name="email"
          label="Email"
          type="email"
          disabled
          hint="Your sign-in email. You change it under Account and sign-in."
          reader="sitter.email"
          value={sitter.email}
          onChange={() => undefined}
        />
        <ZoneField
          name="time_zone"
          label="Time zone"
          hint="All your business times use this time zone."
          value={fields.time_zone}
          onChange={(time_zone) => change(draft, { time_zone })}
        />
      </div>
      <AreaFields fields={fields} onChange={(changes) => change(draft, changes)} />
      <div className="flex items-center justify-end gap-2">
        {isPending && <WaitingMark />}
        {isTouched && !fix && (
          <Button kind="quiet" onClick={startOver}>
            Undo changes
          </Button>
        )}
        <SubmitButton disabled={!isTouched && !fix}>{fix ? "Save and send again" : "Save Profile"}</SubmitButton>
      </div>
    </Form>
  );
}
