/**
 * Owns what stands in the client form and how it becomes a command: only touched fields are sent, so that two people
 * who edit different fields both keep their words.
 */
import {
  type Client,
  type ClientCard,
  type Command,
  newClient,
  newId,
  newPet,
  type Pet,
  type PetPatch,
  type Phone,
} from "../../core";
import type { StoredPhoto } from "../../data";

/** Amounts are null while their input is empty. */
export type ClientValues = { [F in keyof Client]: Client[F] extends number ? number | null : Client[F] };

export interface ClientForm {
  /** The client as the person saw it when the form was opened; `null` for a new one. */
  base: ClientCard | null;
  client: ClientValues;
  /** Known pets first, in their order, then new ones: as the core counts them in its errors. */
  dogs: Pet[];
  removed: string[];
  /** Taken or picked here and not saved yet. */
  photos: StoredPhoto[];
  /** The form began with prices of the sitter's own. */
  hasOwnPrices?: boolean;
}

/** The commands whose arguments this form can begin with. */
export type ClientCommand = Extract<Command, { name: "create_client" | "restore_client" | "update_client" }>;

/** The form of a new client, which begins with the sitter's own prices. */
export function newForm(phone: Phone): ClientForm {
  const client = phone.newClient(newId());
  const usual = newClient(client.id);
  const hasOwnPrices = RATES.some((it) => client[it] !== usual[it]);
  return { base: null, client, dogs: [newPet(newId(), client.id)], removed: [], photos: [], hasOwnPrices };
}

export const editForm = (base: ClientCard): ClientForm => ({
  base,
  client: base.client,
  // There is room for the name of the pet that is still to be named.
  dogs: base.needs_pet ? [newPet(newId(), base.client.id)] : base.dogs,
  removed: [],
  photos: [],
});

/** The form as it was when a refused change was saved, over what the client is by now. */
export function fixForm(
  { name, args }: ClientCommand,
  current: ClientCard | undefined,
  photos: StoredPhoto[],
): ClientForm {
  const changed = (pet: Pet, dogs: PetPatch[]): Pet => ({
    ...pet,
    ...dogs.find((it) => it.id === pet.id)?.changes,
  });
  const made = (dogs: PetPatch[]) => dogs.map((it) => changed(newPet(it.id, args.id), dogs));
  if (name !== "update_client") {
    return {
      base: null,
      client: { ...newClient(args.id), ...args.client },
      dogs: made(args.dogs),
      removed: [],
      photos,
    };
  }
  const base = current ?? { client: newClient(args.id), dogs: [], gone_dogs: [], needs_pet: true, can_message: false };
  const { changes, dogs = [], removed_dogs = [] } = args;
  const kept = base.dogs.filter((it) => !removed_dogs.includes(it.id)).map((it) => changed(it, dogs));
  const added = made(dogs.filter((it) => !base.dogs.some((pet) => pet.id === it.id)));
  return { base, client: { ...base.client, ...changes }, dogs: [...kept, ...added], removed: removed_dogs, photos };
}

export function toCommand({ base, client, dogs, removed, hasOwnPrices }: ClientForm): Command {
  const id = client.id;
  if (!base) {
    return {
      name: "create_client",
      // The prices that the person saw are sent, whatever the sitter's own are by then.
      args: {
        id,
        client: { ...touched(client, newClient(id)), ...(hasOwnPrices && rates(client)) },
        dogs: dogs.map((it) => added(it)),
      },
    };
  }
  const known = new Map(base.dogs.map((it) => [it.id, it]));
  return {
    name: "update_client",
    args: {
      id,
      changes: touched(client, base.client),
      dogs: dogs.flatMap((it): PetPatch[] => {
        const before = known.get(it.id);
        if (!before) return [added(it)];
        const changes = touched(it, before);
        return Object.keys(changes).length > 0 ? [{ id: it.id, is_new: false, changes }] : [];
      }),
      removed_dogs: removed,
    },
  };
}

/** Fields for which a sitter can have prices of their own. */
const RATES = ["walk_rate_30min", "walk_rate_45min", "walk_rate_60min", "pricing_walk", "pricing_dropin"] as const;

const rates = (client: ClientValues) =>
  Object.fromEntries(RATES.map((it) => [it, client[it]])) as Pick<Client, (typeof RATES)[number]>;

const added = (pet: Pet): PetPatch => ({
  id: pet.id,
  is_new: true,
  changes: touched(pet, newPet(pet.id, pet.client_id)),
});

function touched<T extends object>(now: { [F in keyof T]: unknown }, before: T): Partial<T> {
  // A draft that comes from the disk has lists of its own.
  const isSame = (it: keyof T) => now[it] === before[it] || JSON.stringify(now[it]) === JSON.stringify(before[it]);
  const fields = Object.keys(now) as (keyof T)[];
  return Object.fromEntries(fields.filter((it) => !isSame(it)).map((it) => [it, now[it]])) as Partial<T>;
}

/** Photos that a pet of the form still has; others were taken and thought better of. */
export const photosToSave = ({ photos, dogs }: ClientForm): StoredPhoto[] =>
  photos.filter((photo) => dogs.some((it) => it.photo === photo.id));

/** Describes the form's change for the list of what waits. */
export const sentenceOf = (form: ClientForm): string =>
  form.base ? `Change ${form.base.client.name}` : `Add ${form.client.name.trim()}`;

/** True if nothing was entered of a pet: such a one is removed without a question. */
export function isBlank(pet: Pet): boolean {
  const blank = newPet(pet.id, pet.client_id);
  return (Object.keys(blank) as (keyof Pet)[]).every((it) => it === "display_order" || pet[it] === blank[it]);
}

/** Fields of a client by which services are priced. */
const PRICED_BY: readonly (keyof Client)[] = [
  "pricing_walk",
  "pricing_dropin",
  "walk_rate_30min",
  "walk_rate_45min",
  "walk_rate_60min",
  "multiple_dog_method",
  "additional_dog_percentage",
  "additional_dog_walk_rate",
  "additional_dog_dropin_rate",
];

/** True if these changes of a client are of its rates, too. */
export const changesRates = (changes: Partial<Client>): boolean => PRICED_BY.some((it) => it in changes);
