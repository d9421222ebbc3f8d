/** Owns the fields of a pet that stand behind 'More about'. */
import type { Pet } from "../../core";
import { DateField, NumberField, Select } from "../../ui";
import { CHIPPED, FRIENDLY, NEUTERED, SEXES, TRAITS } from "./pets";

export interface PetFieldsProps {
  pet: Pet;
  /** What a field is called in the form, as the core's errors name it. */
  field: (name: keyof Pet) => string;
  onChange: (changes: Partial<Pet>) => void;
}

export function MorePetFields({ pet, field, onChange }: PetFieldsProps) {
  return (
    <>
      <DateField
        name={field("birthday")}
        label="Birthday"
        optional
        value={pet.birthday ?? ""}
        onChange={(birthday) => onChange({ birthday: birthday || null })}
      />
      <DateField
        name={field("adoption_date")}
        label="Adoption date"
        optional
        value={pet.adoption_date ?? ""}
        onChange={(adoption_date) => onChange({ adoption_date: adoption_date || null })}
      />
      <Select name={field("sex")} label="Sex" value={pet.sex} onChange={(sex) => onChange({ sex })} options={SEXES} />
      <NumberField
        name={field("weight")}
        label="Weight"
        optional
        unit="lbs"
        value={pet.weight ?? null}
        onChange={(weight) => onChange({ weight })}
      />
      <Select
        name={field("microchipped")}
        label="Microchipped"
        value={pet.microchipped}
        onChange={(microchipped) => onChange({ microchipped })}
        options={CHIPPED}
      />
      <Select
        name={field("spayed_neutered")}
        label="Spayed or neutered"
        value={pet.spayed_neutered}
        onChange={(spayed_neutered) => onChange({ spayed_neutered })}
        options={NEUTERED}
      />
      {TRAITS.map((trait) => (
        <Select
          key={trait.field}
          name={field(trait.field)}
          label={trait.label}
          value={pet[trait.field]}
          onChange={(value) => onChange({ [trait.field]: value })}
          options={FRIENDLY}
        />
      ))}
    </>
  );
}
