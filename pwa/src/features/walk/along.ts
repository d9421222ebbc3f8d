/** Owns whose dogs are along on a walk. */
import type { ClientCard } from "../../core";
import { useReplica } from "../../data";
import { servicesOf, type WalkRow } from "../../data/walks";

/** The clients whose dogs are along; those of a service also where a dog has been deleted since. */
export function useClientsAlong(row: WalkRow): ClientCard[] {
  return useReplica((phone) => {
    const served = servicesOf(row).map((id) => phone.service(id)?.client_id);
    const isAlong = ({ client, dogs }: ClientCard) =>
      served.includes(client.id) || dogs.some((dog) => row.dog_ids?.includes(dog.id));
    return phone.clients("").filter(isAlong);
  });
}
