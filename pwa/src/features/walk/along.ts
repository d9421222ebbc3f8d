/** Owns whose dogs are along on a walk. */
import type { ClientCard, FirstPhone } from "../../core";
import { useReplica } from "../../data";
import { servicesOf, type WalkRow } from "../../data/walks/walks";
import type { DogAlong } from "../../parts/walk/walkText";

/** The same client with all dogs that it has or had: one that is no longer there was on walks before. */
export const withGoneDogs = (card: ClientCard): ClientCard => ({ ...card, dogs: [...card.dogs, ...card.gone_dogs] });

/** The clients whose dogs are along; those of a service also where a dog has been deleted since. */
export function clientsAlong(phone: FirstPhone, row: WalkRow): ClientCard[] {
  const served = servicesOf(row).map((id) => phone.service(id)?.client_id);
  const isAlong = ({ client, dogs }: ClientCard) =>
    served.includes(client.id) || dogs.some((dog) => row.dog_ids?.includes(dog.id));
  return phone.clients("").map(withGoneDogs).filter(isAlong);
}

export const useClientsAlong = (row: WalkRow): ClientCard[] => useReplica((phone) => clientsAlong(phone, row));

/** The dogs that are along, as far as they are known by now. */
export const dogsAlong = (phone: FirstPhone, row: WalkRow): DogAlong[] =>
  clientsAlong(phone, row).flatMap(({ dogs }) =>
    dogs.filter((it) => row.dog_ids?.includes(it.id)).map(({ id, name }) => ({ id, name })),
  );

export const useDogsAlong = (row: WalkRow): DogAlong[] => useReplica((phone) => dogsAlong(phone, row));
