/** Owns whom a service is for: the client, and which of their dogs. */
import { Link } from "wouter";
import type { ClientCard, Pet } from "../../../core";
import { PetAvatar } from "../../../parts/PetAvatar";
import { Banner, Checkbox, FieldGroup } from "../../../ui";
import { ClientSelect } from "../ClientSelect";
import type { OpenForm } from "./useServiceForm";

interface ForWhomProps {
  form: OpenForm;
  /** The client of the visit that is changed. */
  own: string | undefined;
}

export function ForWhom({ form: { check, client, goneDogs, shown, change, choose, wrong }, own }: ForWhomProps) {
  const stays = own === undefined ? undefined : (check.client_stays ?? undefined);
  return (
    <>
      <ClientSelect
        name="client_id"
        label="Client"
        value={shown.client_id}
        onChange={choose}
        among={stays ? [own ?? "", shown.client_id] : undefined}
        hint={stays}
        error={wrong("client_id")}
      />
      <DogsField
        client={client}
        goneDogs={goneDogs}
        dog_ids={shown.dog_ids}
        onChange={(dog_ids) => change({ dog_ids })}
        error={wrong("dog_ids")}
      />
    </>
  );
}

interface DogsFieldProps {
  client: ClientCard | undefined;
  /** Those that were removed since. */
  goneDogs: readonly { id: string; name: string }[];
  dog_ids: readonly string[];
  onChange: (dog_ids: string[]) => void;
  error: string | undefined;
}

export function DogsField({ client, goneDogs, dog_ids, onChange, error }: DogsFieldProps) {
  const tick = (pet: Pick<Pet, "id">, isAlong: boolean) =>
    onChange(isAlong ? [...dog_ids, pet.id] : dog_ids.filter((it) => it !== pet.id));
  return (
    <FieldGroup
      name="dog_ids"
      label="Pets"
      error={error}
      hint={client ? undefined : "Choose a client to see their pets."}
    >
      {client?.needs_pet && <NoPetYet client={client.client} />}
      {client && (
        <div className="grid gap-2 md:grid-cols-2">
          {client.dogs.map((pet) => (
            <DogBox
              key={pet.id}
              pet={pet}
              checked={dog_ids.includes(pet.id)}
              onChange={(isAlong) => tick(pet, isAlong)}
            />
          ))}
          {goneDogs.map((dog) => (
            <Checkbox
              key={dog.id}
              name=""
              className={BOX}
              checked
              onChange={() => tick(dog, false)}
              label={
                <span className="min-w-0 wrap-anywhere">
                  <bdi className="block font-medium">{dog.name}</bdi>
                  <span className="block text-12 text-ink-2">no longer here</span>
                </span>
              }
            />
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** Says why nothing can be booked for a client, with the way to name the pet. */
const NoPetYet = ({ client }: Pick<ClientCard, "client">) => (
  <Banner role="status">
    Nothing can be booked for <bdi>{client.name}</bdi> until a pet is named.{" "}
    <Link to={`/clients/${client.id}?form=edit`} className="hit font-medium underline">
      Name the pet
    </Link>
  </Banner>
);

const BOX = "rounded-large border border-line px-3 has-checked:border-act";

interface DogBoxProps {
  pet: Pet;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function DogBox({ pet, checked, onChange }: DogBoxProps) {
  return (
    <Checkbox
      name=""
      className={BOX}
      checked={checked}
      onChange={onChange}
      label={
        <span className="flex min-w-0 items-center gap-2">
          <PetAvatar pet={pet} size="small" />
          <span className="min-w-0 wrap-anywhere">
            <bdi className="block font-medium">{pet.name}</bdi>
            {pet.breed && <bdi className="block text-12 text-ink-2">{pet.breed}</bdi>}
          </span>
        </span>
      }
    />
  );
}
