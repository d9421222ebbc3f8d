/** Owns the pets on a client's page: those that are there, and apart from them those that are no longer with us. */
import { useState } from "react";
import { type ClientCard, type Pet, setApart, type Units } from "../../core";
import { save, useReplica } from "../../data";
import { Button, ButtonLink, toast } from "../../ui";
import { DetailSection, type Heading } from "./DetailSection";
import { PetCard } from "./PetCard";
import { PetGoneDialog } from "./PetGoneDialog";

const GRID = "grid grid-cols-1 gap-3 xl:grid-cols-2 2xl:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]";

export function PetsSection({ card, heading }: { card: ClientCard; heading: Heading }) {
  const { client, dogs, gone_dogs } = card;
  const units = useReplica((phone): Units => phone.sitter()?.units ?? "imperial");
  const [leaving, setLeaving] = useState<Pet>();
  return (
    <>
      {card.needs_pet && (
        <DetailSection title="Pets" heading={heading}>
          <div className="grid justify-items-start gap-3">
            <p className="text-ink-2">Nothing can be booked until a pet is named.</p>
            <ButtonLink to={`/clients/${client.id}?form=edit`}>Name the pet</ButtonLink>
          </div>
        </DetailSection>
      )}
      {dogs.length > 0 && (
        <DetailSection title="Pets" heading={heading}>
          <ul className={GRID}>
            {dogs.map((pet) => (
              <PetCard key={pet.id} pet={pet} units={units}>
                <Button
                  kind="plain"
                  className="-ml-3 justify-self-start px-3! text-left"
                  onClick={() => setLeaving(pet)}
                >
                  Mark as no longer with us
                  <span className="sr-only">: {setApart(pet.name)}</span>
                </Button>
              </PetCard>
            ))}
          </ul>
        </DetailSection>
      )}
      {gone_dogs.length > 0 && (
        <DetailSection title="No longer with us" heading={heading}>
          <ul className={GRID}>
            {gone_dogs.map((pet) => (
              <PetCard key={pet.id} pet={pet} units={units}>
                <Button kind="plain" className="-ml-3 justify-self-start px-3!" onClick={() => void isHere(pet)}>
                  Still here
                  <span className="sr-only">: {setApart(pet.name)}</span>
                </Button>
              </PetCard>
            ))}
          </ul>
        </DetailSection>
      )}
      {leaving && <PetGoneDialog pet={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

/** Puts a pet back among those that are there; visits that it left stay as they are. */
async function isHere({ id, name }: Pet): Promise<void> {
  try {
    const result = await save({ name: "restore_pet", args: { id } }, `${setApart(name)} is still here`);
    if (result.ok) toast.info(`${setApart(name)} is among the pets again`);
    else toast.error(result.text);
  } catch {
    toast.error("Failed to update pet");
  }
}
