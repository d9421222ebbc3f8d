/** Owns the inputs that say who the sitter is. */
import type { StoredPhoto } from "../../data";
import { PhotoPicker } from "../../parts/PhotoPicker";
import { TextField } from "../../ui";
import { ReaderHint } from "../../ui/Readers";
import type { ProfileFields } from "./profile";

interface PersonFieldsProps {
  fields: ProfileFields;
  unsaved: readonly StoredPhoto[];
  onChange: (changes: Partial<ProfileFields>) => void;
  onPhoto: (photo: StoredPhoto) => void;
}

export function PersonFields({ fields, unsaved, onChange, onPhoto }: PersonFieldsProps) {
  return (
    <>
      <PhotoPicker
        name={fields.name}
        photo={fields.photo}
        unsaved={unsaved}
        onPick={onPhoto}
        onRemove={() => onChange({ photo: null })}
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField
          name="name"
          label="Your name"
          autoComplete="name"
          hint={<ReaderHint reader="links" />}
          value={fields.name}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          name="business_name"
          label="Business name"
          optional
          autoComplete="organization"
          hint={<ReaderHint reader="links" />}
          value={fields.business_name}
          onChange={(business_name) => onChange({ business_name })}
        />
        <TextField
          name="phone"
          label="Phone"
          type="tel"
          autoComplete="tel"
          hint={<ReaderHint reader="links">Clients use this number to reach you.</ReaderHint>}
          value={fields.phone}
          onChange={(phone) => onChange({ phone })}
        />
      </div>
    </>
  );
}
