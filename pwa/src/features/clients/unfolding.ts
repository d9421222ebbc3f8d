/** Owns how far the pets of the client form are unfolded: no error is ever folded away, and the rest stays as it is. */
import type { FieldError } from "../../ui";
import type { ClientForm } from "./form";
import { DETAIL_NAMES } from "./pets";

/** Fields that stand behind 'More about'. */
const MORE: readonly string[] = DETAIL_NAMES;

/** `open` shows a pet's first fields, `all` those behind 'More about', too. */
export type Unfolded = "closed" | "open" | "all";

/** By the pet's id. */
export type Unfolding = Record<string, Unfolded>;

/** Opens what must be seen and leaves the rest as it is. */
export function unfold(form: ClientForm, errors: readonly FieldError[], before: Unfolding): Unfolding {
  const entries = form.dogs.map((pet, place): [string, Unfolded] => {
    // The only pet is open where its name is still to be typed; known pets wait to be asked for.
    const waits = (form.base && pet.name !== "") || form.dogs.length > 1;
    const was = before[pet.id] ?? (waits ? "closed" : "open");
    const needed = neededFor(errors, place);
    return [pet.id, needed === "all" || (needed === "open" && was === "closed") ? needed : was];
  });
  return Object.fromEntries(entries);
}

/** How far the pet at this place must be unfolded for its errors to be seen. */
function neededFor(errors: readonly FieldError[], place: number): Unfolded {
  const prefix = `dogs.${place}.`;
  const fields = errors.filter((it) => it.field.startsWith(prefix)).map((it) => it.field.slice(prefix.length));
  if (fields.length === 0) return "closed";
  return fields.some((it) => MORE.includes(it)) ? "all" : "open";
}
