/** Owns the fields of a pet that stand behind 'More about'. */
import type { Pet } from "../../core";
import { DateField, NumberField, Select, TextField } from "../../ui";
import { DETAIL_NAMES, DETAILS, type Detail, type DetailName } from "./pets";

export interface PetFieldsProps {
  pet: Pet;
  /** Returns a field's name in the form, as the core's errors have it. */
  field: (name: keyof Pet) => string;
  onChange: (changes: Partial<Pet>) => void;
}

export function MorePetFields(props: PetFieldsProps) {
  return DETAIL_NAMES.map((name) => <DetailField key={name} name={name} {...props} />);
}

function DetailField({ name, pet, field, onChange }: PetFieldsProps & { name: DetailName }) {
  const detail: Detail = DETAILS[name];
  const value = pet[name];
  const control = { name: field(name), label: detail.label };
  const change = (value: string | number | null) => onChange({ [name]: value });
  switch (detail.kind) {
    case "date":
      return <DateField {...control} optional value={String(value ?? "")} onChange={(it) => change(it || null)} />;
    case "text":
      return (
        <TextField {...control} reader={{ reader: "client" }} optional value={String(value ?? "")} onChange={change} />
      );
    case "number":
      return (
        <NumberField
          {...control}
          optional
          unit={detail.unit}
          value={typeof value === "number" ? value : null}
          onChange={change}
        />
      );
    default:
      return <Select {...control} value={String(value)} onChange={change} options={detail.choices} />;
  }
}
