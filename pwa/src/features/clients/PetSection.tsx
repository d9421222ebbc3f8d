/** Owns one pet of the client form: all its fields, most of them folded away until they are asked for. */
import { ChevronDown, Trash2 } from "lucide-react";
import { useId } from "react";
import { newPet, type Pet, setApart, type Units } from "../../core";
import type { StoredPhoto } from "../../data";
import {
  Avatar,
  Button,
  cx,
  DateField,
  type FieldError,
  NumberField,
  Segmented,
  Select,
  TextArea,
  TextField,
} from "../../ui";
import { PhotoPicker, useShownPhoto } from "./PhotoPicker";
import { CHIPPED, FRIENDLY, NEUTERED, PET_TYPES, petLine, SEXES, TRAITS } from "./pets";

/** Fields that stand behind 'More about'. */
const MORE = [
  "birthday",
  "adoption_date",
  "sex",
  "weight",
  "microchipped",
  "spayed_neutered",
  ...TRAITS.map((it) => it.field),
];

/** How far a pet is unfolded. */
export type Unfolded = "closed" | "open" | "all";

/** How far a pet must be unfolded for its errors to be seen. */
export function unfoldedBy(errors: readonly FieldError[], place: number): Unfolded {
  const prefix = `dogs.${place}.`;
  const fields = errors.filter((it) => it.field.startsWith(prefix)).map((it) => it.field.slice(prefix.length));
  if (fields.length === 0) return "closed";
  return fields.some((it) => MORE.includes(it)) ? "all" : "open";
}

interface PetSectionProps {
  pet: Pet;
  /** Among the pets of the form, from 0. */
  place: number;
  units: Units;
  unfolded: Unfolded;
  onUnfold: (unfolded: Unfolded) => void;
  unsaved: readonly StoredPhoto[];
  onChange: (changes: Partial<Pet>) => void;
  onPhoto: (photo: StoredPhoto) => void;
  onRemove: (() => void) | undefined;
}

export function PetSection(props: PetSectionProps) {
  const { pet, place, units, unfolded, onUnfold, unsaved, onChange, onPhoto, onRemove } = props;
  const id = useId();
  const photo = useShownPhoto(pet.photo, unsaved);
  const name = pet.name.trim() || `Pet ${place + 1}`;
  const field = (it: keyof Pet) => `dogs.${place}.${it}`;
  const isOpen = unfolded !== "closed";
  const showsAll = unfolded === "all";

  return (
    <section aria-labelledby={`${id}-name`} className="rounded-large border border-line">
      <h4>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          onClick={() => onUnfold(isOpen ? "closed" : "open")}
          className="flex min-h-14 w-full items-center gap-3 rounded-large px-3 py-2 text-left hover:bg-sunken"
        >
          <Avatar name={name} src={photo} size="small" />
          <span className="min-w-0 flex-1">
            <span id={`${id}-name`} className="block truncate font-bold">
              <bdi>{name}</bdi>
            </span>
            {!isOpen && <span className="block truncate text-14 text-ink-2">{petLine(pet, units)}</span>}
          </span>
          <ChevronDown aria-hidden className={cx("size-5 text-ink-2 transition-transform", isOpen && "rotate-180")} />
        </button>
      </h4>
      <div id={`${id}-fields`} hidden={!isOpen} className="grid grid-cols-1 gap-4 px-3 pt-1 pb-4">
        <PhotoPicker
          name={name}
          photo={pet.photo}
          unsaved={unsaved}
          onPick={onPhoto}
          onRemove={() => onChange({ photo: null })}
        />
        <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
          <TextField
            name={field("name")}
            label="Pet name"
            value={pet.name}
            onChange={(name) => onChange({ name })}
            autoComplete="off"
          />
          <TextField
            name={field("breed")}
            label="Breed"
            optional
            value={pet.breed}
            onChange={(breed) => onChange({ breed })}
            autoComplete="off"
          />
        </div>
        <Segmented
          label={`What ${setApart(name)} is`}
          value={pet.pet_type}
          onChange={(pet_type) => onChange({ pet_type })}
          options={PET_TYPES}
        />
        <TextArea
          name={field("about")}
          label="About"
          optional
          hint="Food, fears, medicine: what whoever holds the leash must know."
          value={pet.about}
          onChange={(about) => onChange({ about })}
        />
        <div>
          <Button
            kind="plain"
            className="-ml-3 px-3!"
            aria-expanded={showsAll}
            aria-controls={`${id}-more`}
            onClick={() => onUnfold(showsAll ? "open" : "all")}
            icon={<ChevronDown aria-hidden className={cx("size-5 transition-transform", showsAll && "rotate-180")} />}
          >
            {showsAll ? (
              "Less"
            ) : (
              <span className="min-w-0 wrap-anywhere">
                More about <bdi>{pet.name.trim() || "this pet"}</bdi>
              </span>
            )}
          </Button>
        </div>
        <div id={`${id}-more`} hidden={!showsAll} className="grid grid-cols-1 gap-4 md:grid-cols-2">
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
          <Select
            name={field("sex")}
            label="Sex"
            value={pet.sex}
            onChange={(sex) => onChange({ sex })}
            options={SEXES}
          />
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
        </div>
        {onRemove && (
          <div className="border-t border-line pt-3">
            <Button
              kind="plain"
              className="-ml-3 px-3! text-danger!"
              icon={<Trash2 aria-hidden className="size-5" />}
              onClick={onRemove}
            >
              <span className="min-w-0 wrap-anywhere">
                Remove <bdi>{name}</bdi>
              </span>
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** Whether nothing was entered: such a pet goes without a question. */
export function isBlank(pet: Pet): boolean {
  const blank = newPet(pet.id, pet.client_id);
  return (Object.keys(blank) as (keyof Pet)[]).every((it) => it === "display_order" || pet[it] === blank[it]);
}
