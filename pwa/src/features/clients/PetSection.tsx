/** Owns one pet of the client form: all its fields, most of them folded away until they are asked for. */
import { ChevronDown, Trash2 } from "lucide-react";
import { useId } from "react";
import { type Pet, setApart, type Units } from "../../core";
import type { StoredPhoto } from "../../data";
import { PhotoPicker, useShownPhoto } from "../../parts/PhotoPicker";
import { Avatar, Button, cx, Segmented, TextArea, TextField } from "../../ui";
import { MorePetFields, type PetFieldsProps } from "./MorePetFields";
import { PET_TYPES, petLine } from "./pets";
import type { Unfolded } from "./unfolding";

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
  const fields = { pet, onChange, field: (it: keyof Pet) => `dogs.${place}.${it}` };
  const isOpen = unfolded !== "closed";
  const showsAll = unfolded === "all";
  return (
    <section aria-labelledby={`${id}-name`} className="rounded-large border border-line">
      <Head
        id={id}
        name={name}
        photo={photo}
        line={petLine(pet, units)}
        isOpen={isOpen}
        onToggle={() => onUnfold(isOpen ? "closed" : "open")}
      />
      <div id={`${id}-fields`} hidden={!isOpen} className="grid grid-cols-1 gap-4 px-3 pt-1 pb-4">
        <PhotoPicker
          name={name}
          photo={pet.photo}
          reader="pet.photo"
          unsaved={unsaved}
          onPick={onPhoto}
          onRemove={() => onChange({ photo: null })}
        />
        <FirstFields {...fields} name={name} />
        <MoreButton
          id={id}
          name={pet.name.trim()}
          isOpen={showsAll}
          onToggle={() => onUnfold(showsAll ? "open" : "all")}
        />
        <div id={`${id}-more`} hidden={!showsAll} className="grid grid-cols-1 gap-4 md:grid-cols-2">
          <MorePetFields {...fields} />
        </div>
        {onRemove && <RemoveButton name={name} onRemove={onRemove} />}
      </div>
    </section>
  );
}

interface HeadProps {
  /** The section's, with which the ids of its parts begin. */
  id: string;
  name: string;
  photo: string | undefined;
  /** The pet in a few words, for when it is folded. */
  line: string;
  isOpen: boolean;
  onToggle: () => void;
}

function Head({ id, name, photo, line, isOpen, onToggle }: HeadProps) {
  return (
    <h4>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={`${id}-fields`}
        onClick={onToggle}
        className="flex min-h-14 w-full items-center gap-3 rounded-large px-3 py-2 text-left hover:bg-sunken"
      >
        <Avatar name={name} src={photo} size="small" />
        <span className="min-w-0 flex-1">
          <span id={`${id}-name`} className="block truncate font-bold">
            <bdi>{name}</bdi>
          </span>
          {!isOpen && <span className="block truncate text-14 text-ink-2">{line}</span>}
        </span>
        <ChevronDown aria-hidden className={cx("size-5 text-ink-2 transition-transform", isOpen && "rotate-180")} />
      </button>
    </h4>
  );
}

/** The fields that are asked of every pet. */
function FirstFields({ pet, field, onChange, name }: PetFieldsProps & { name: string }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          name={field("name")}
          reader="pet.name"
          label="Pet name"
          value={pet.name}
          onChange={(name) => onChange({ name })}
          autoComplete="off"
        />
        <TextField
          name={field("breed")}
          reader="pet.breed"
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
        reader="pet.about"
        label="About"
        optional
        hint="Food, fears, medicine: what the person with the leash must know."
        value={pet.about}
        onChange={(about) => onChange({ about })}
      />
    </>
  );
}

interface MoreButtonProps extends Pick<HeadProps, "id" | "isOpen" | "onToggle"> {
  /** As it is typed; empty for a pet that has none yet. */
  name: string;
}

function MoreButton({ id, name, isOpen, onToggle }: MoreButtonProps) {
  return (
    <div>
      <Button
        kind="plain"
        className="-ml-3 px-3!"
        aria-expanded={isOpen}
        aria-controls={`${id}-more`}
        onClick={onToggle}
        icon={<ChevronDown aria-hidden className={cx("size-5 transition-transform", isOpen && "rotate-180")} />}
      >
        {isOpen ? (
          "Less"
        ) : (
          <span className="min-w-0 wrap-anywhere">
            More about <bdi>{name || "this pet"}</bdi>
          </span>
        )}
      </Button>
    </div>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
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
  );
}
