/** Owns the pets of a client's form, each in its section; whether they come and go there is said by who shows them. */
import type { Pet, Units } from "../../core";
import { useReplica } from "../../data";
import { FieldGroup } from "../../ui";
import { PetSection } from "./PetSection";
import type { OpenClientForm } from "./useClientForm";

interface PetSectionsProps {
  open: OpenClientForm;
  /** Without it nobody may be taken out; the last one never may. */
  onRemove?: OpenClientForm["removePet"];
  /** True for those that may be taken out; all may without it. */
  canRemove?: (pet: Pet) => boolean;
  /** Remark about all of them. */
  hint?: string;
}

export function PetSections({ open, onRemove, canRemove = () => true, hint }: PetSectionsProps) {
  const { form, unfolded, unfoldPet, changePet, addPhoto } = open;
  const units = useReplica((phone): Units => phone.sitter()?.units ?? "imperial");
  return (
    <>
      <div>
        <h3 className="text-20 font-bold">Pets</h3>
        {hint && <p className="text-14 text-ink-2 text-pretty">{hint}</p>}
      </div>
      <FieldGroup name="dogs" label="Pets" hideLabel className="gap-3">
        {form.dogs.map((pet, place) => (
          <PetSection
            key={pet.id}
            pet={pet}
            place={place}
            units={units}
            unfolded={unfolded[pet.id] ?? "closed"}
            onUnfold={(how) => unfoldPet(pet.id, how)}
            unsaved={form.photos}
            onChange={(changes) => changePet(pet.id, changes)}
            onPhoto={(photo) => addPhoto(pet, photo)}
            onRemove={onRemove && form.dogs.length > 1 && canRemove(pet) ? () => void onRemove(pet) : undefined}
          />
        ))}
      </FieldGroup>
    </>
  );
}
