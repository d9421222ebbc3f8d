/** Owns a pet as a card: face, what it is, and what one must not overlook. */
import type { ReactNode } from "react";
import { formatDate, type Pet, type Units } from "../../core";
import { PetAvatar } from "../../parts/PetAvatar";
import { Chip } from "../../ui";
import { petFacts, petLine } from "./pets";

interface PetCardProps {
  pet: Pet;
  units: Units;
  /** Acts on it. */
  children?: ReactNode;
}

export function PetCard({ pet, units, children }: PetCardProps) {
  const facts = petFacts(pet);
  return (
    <li className="grid grid-cols-1 content-start gap-3 rounded-large border border-line bg-card p-4">
      <div className="flex items-center gap-3">
        <PetAvatar pet={pet} size="large" />
        <div className="min-w-0">
          <p className="font-bold wrap-anywhere">
            <bdi>{pet.name}</bdi>
          </p>
          <p className="text-14 text-ink-2 wrap-anywhere">{petLine(pet, units)}</p>
          {pet.gone_on && <p className="num text-14 text-ink-2">No longer with us since {formatDate(pet.gone_on)}</p>}
        </div>
      </div>
      {pet.about && (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {pet.about}
        </p>
      )}
      {facts.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {facts.map(({ label, value, care }) => (
            <li key={label}>
              <Chip kind={care ? "tag" : "plain"}>
                {label}: {value}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {children}
    </li>
  );
}
