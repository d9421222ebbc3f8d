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

const YES_NO = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

interface Described {
  /** Its word in the form. */
  label: string;
  /** Its word on the client's page; a detail without one is in the pet's line. */
  fact?: string;
}

interface DateDetail extends Described {
  kind: "date";
}

interface TextDetail extends Described {
  kind: "text";
}

interface NumberDetail extends Described {
  kind: "number";
  unit: string;
}

interface ChoiceDetail<V extends string> extends Described {
  kind: "choice";
  choices: readonly Choice<V>[];
  /** The choice that says that nobody knows. */
  unknown: V;
  /** The choices that a walker must not overlook. */
  care?: readonly V[];
}

export type Detail = DateDetail | TextDetail | NumberDetail | ChoiceDetail<string>;

/** How a field of that type is described; in a tuple, since a conditional type would take a union apart. */
type DetailOf<V> = [V] extends [number]
  ? NumberDetail
  : [V] extends [string]
    ? string extends V
      ? TextDetail | DateDetail
      : ChoiceDetail<V>
    : never;

/** Fields that are no details: those that no form sets, and those that `PetSection` shows for every pet. */
type AskedFirst =
  | "id"
  | "client_id"
  | "display_order"
  | "gone_on"
  | "other_texts"
  | "name"
  | "breed"
  | "pet_type"
  | "about"
  | "photo";

/** The fields that stand behind 'More about'. */
export type DetailName = Exclude<keyof Pet, AskedFirst>;

function trait(label: string): ChoiceDetail<Pet["house_trained"]> {
  return {
    kind: "choice",
    label,
    fact: label,
    choices: [...YES_NO, { value: "unsure", label: "Unsure" }, { value: "depends", label: "Depends" }],
    unknown: "unsure",
    care: ["no", "depends"],
  };
}

/** Every detail of a pet, in the order of the form and of the client's page. */
export const DETAILS: { [F in DetailName]: DetailOf<NonNullable<Pet[F]>> } = {
  birthday: { kind: "date", label: "Birthday", fact: "Born" },
  adoption_date: { kind: "date", label: "Adoption date", fact: "Adopted" },
  sex: {
    kind: "choice",
    label: "Sex",
    choices: [
      { value: "male", label: "Male" },
      { value: "female", label: "Female" },
      { value: "unknown", label: "Unknown" },
    ],
    unknown: "unknown",
  },
  weight: { kind: "number", label: "Weight", unit: "lbs" },
  microchipped: {
    kind: "choice",
    label: "Microchipped",
    fact: "Microchipped",
    choices: [...YES_NO, { value: "unknown", label: "Unknown" }],
    unknown: "unknown",
  },
  spayed_neutered: {
    kind: "choice",
    label: "Spayed or neutered",
    fact: "Spayed or neutered",
    choices: [...YES_NO, { value: "unsure", label: "Unsure" }],
    unknown: "unsure",
  },
  house_trained: trait("House trained"),
  friendly_with_children: trait("Friendly with children"),
  friendly_with_dogs: trait("Friendly with dogs"),
  friendly_with_cats: trait("Friendly with cats"),
};

export const DETAIL_NAMES = Object.keys(DETAILS) as DetailName[];

const labelOf = <V extends string>(choices: readonly Choice<V>[], value: V): string =>
  choices.find((it) => it.value === value)?.label ?? value;

/** `Dog · Beagle · Male · 28 lbs`: what is known, in one line. */
export function petLine(pet: Pet, units: Units): string {
  return [
    labelOf(PET_TYPES, pet.pet_type),
    pet.breed,
    pet.sex === "unknown" ? "" : labelOf(DETAILS.sex.choices, pet.sex),
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
export const petFacts = (pet: Pet): Fact[] =>
  DETAIL_NAMES.map((name) => factOf(DETAILS[name], pet[name])).filter((it) => it !== undefined);

function factOf(detail: Detail, value: string | number | null | undefined): Fact | undefined {
  const { kind, fact: label } = detail;
  if (label === undefined || value == null || value === "") return undefined;
  const text = String(value);
  if (kind === "date") return { label, value: formatDate(text), care: false };
  if (kind === "number") return { label, value: `${text} ${detail.unit}`, care: false };
  if (kind === "text") return { label, value: text, care: false };
  if (text === detail.unknown) return undefined;
  return { label, value: labelOf(detail.choices, text), care: detail.care?.includes(text) ?? false };
}
