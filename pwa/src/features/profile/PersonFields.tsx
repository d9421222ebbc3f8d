/** Owns the inputs that say who the sitter is. */
import type { StoredPhoto } from "../../data";
import { PhotoPicker } from "../../parts/PhotoPicker";
import { TextField } from "../../ui";
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
        reader="sitter.photo"
        unsaved={unsaved}
        onPick={onPhoto}
        onRemove={() => onChange({ photo: null })}
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField
          name="name"
          label="Your name"
          autoComplete="name"
          reader="sitter.name"
          value={fields.name}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          name="business_name"
          label="Business name"
          optional
          autoComplete="organization"
          reader="sitter.business_name"
          value={fields.business_name}
          onChange={(business_name) => onChange({ business_name })}
        />
        <TextField
          name="phone"
          label="Phone"
          type="tel"
          autoComplete="tel"
          hint="Clients use this number to reach you."
          reader="sitter.phone"
          value={fields.phone}
          onChange={(phone) => onChange({ phone })}
        />
      </div>
    </>
  );
}
