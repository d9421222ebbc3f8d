/** Owns the words for what is known of a pet: the choices of the form and the facts on a client's page. */
import { formatDate, formatWeight, type Pet, type Units } from "../../core";

interface Choice<V extends string> {
  value: V;
  label: string;
}

export const PET_TYPES: readonly Choice<Pet["pet_type"]>[] = [
  { value: "dog", label: "Dog" },
  { value: "cat", label: "Cat" },
  { value: "other", label: "Other" },
];

export const SEXES: readonly Choice<Pet["sex"]>[] = [
  { value: "male", label: "Male" },
  { value: "female", label: "Female" },
  { value: "unknown", label: "Unknown" },
];

export const CHIPPED: readonly Choice<Pet["microchipped"]>[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "unknown", label: "Unknown" },
];

export const NEUTERED: readonly Choice<Pet["spayed_neutered"]>[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "unsure", label: "Unsure" },
];

export const FRIENDLY: readonly Choice<Pet["house_trained"]>[] = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
  { value: "unsure", label: "Unsure" },
  { value: "depends", label: "Depends" },
];

/** What can be asked of how a pet is with something, with the word of the form. */
export const TRAITS = [
  { field: "house_trained", label: "House trained" },
  { field: "friendly_with_children", label: "Friendly with children" },
  { field: "friendly_with_dogs", label: "Friendly with dogs" },
  { field: "friendly_with_cats", label: "Friendly with cats" },
] as const;

const labelOf = <V extends string>(choices: readonly Choice<V>[], value: V): string =>
  choices.find((it) => it.value === value)?.label ?? value;

/** `Dog · Beagle · Male · 28 lbs`: what is known, in one line. */
export function petLine(pet: Pet, units: Units): string {
  return [
    labelOf(PET_TYPES, pet.pet_type),
    pet.breed,
    pet.sex === "unknown" ? "" : labelOf(SEXES, pet.sex),
    pet.weight == null ? "" : formatWeight(pet.weight, units),
  ]
    .filter(Boolean)
    .join(" · ");
}

export interface Fact {
  label: string;
  value: string;
  /** Something that a walker must not overlook. */
  care: boolean;
}

/** Everything else that is known; what nobody answered is left out. */
export function petFacts(pet: Pet): Fact[] {
  const facts: (Fact | false)[] = [
    pet.birthday != null && { label: "Born", value: formatDate(pet.birthday), care: false },
    pet.adoption_date != null && { label: "Adopted", value: formatDate(pet.adoption_date), care: false },
    pet.microchipped !== "unknown" && {
      label: "Microchipped",
      value: labelOf(CHIPPED, pet.microchipped),
      care: false,
    },
    pet.spayed_neutered !== "unsure" && {
      label: "Spayed or neutered",
      value: labelOf(NEUTERED, pet.spayed_neutered),
      care: false,
    },
    ...TRAITS.map(
      ({ field, label }): Fact | false =>
        pet[field] !== "unsure" && {
          label,
          value: labelOf(FRIENDLY, pet[field]),
          care: pet[field] === "no" || pet[field] === "depends",
        },
    ),
  ];
  return facts.filter((it) => it !== false);
}
