/** Owns the few words of a visit that must not be missed: how to get in, what each pet needs, what was noted for the day. */
import { House, KeyRound, NotebookPen, PawPrint } from "lucide-react";
import type { ReactNode } from "react";
import type { Pet, Service } from "../../core";

interface Care {
  /** How to get in, where it is not shown by itself. */
  access?: string | undefined;
  /** House instructions of the client. */
  house?: string | undefined;
  pets: readonly Pick<Pet, "id" | "name" | "about">[];
  visits: readonly Pick<Service, "id" | "internal_notes">[];
}

interface Note {
  key: string;
  icon: ReactNode;
  /** Says what it is to those who do not see the icon. */
  of: string;
  whose?: string;
  text: string;
}

export function CareNotes(care: Care) {
  const notes = notesOf(care);
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {notes.map(({ key, icon, of, whose, text }) => (
        <li
          key={key}
          className="min-w-0 rounded-small bg-tag-soft px-3 py-2 text-14 font-medium text-tag-ink [&>svg]:mr-2 [&>svg]:inline [&>svg]:size-4 [&>svg]:align-[-2px]"
        >
          {icon}
          <span className="sr-only">{of}:</span>
          <span className="min-w-0 whitespace-pre-line wrap-anywhere">
            {whose && (
              <>
                <bdi>{whose}</bdi>:{" "}
              </>
            )}
            <bdi>{text}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}

function notesOf({ access, house, pets, visits }: Care): Note[] {
  const notes: Note[] = [];
  if (access) notes.push({ key: "access", icon: <KeyRound aria-hidden />, of: "Access notes", text: access });
  for (const { id, name, about } of pets) {
    const whose = pets.length > 1 ? { whose: name } : {};
    if (about) notes.push({ key: id, icon: <PawPrint aria-hidden />, of: "Care", ...whose, text: about });
  }
  if (house) notes.push({ key: "house", icon: <House aria-hidden />, of: "House", text: house });
  for (const { id, internal_notes } of visits) {
    if (!internal_notes) continue;
    notes.push({ key: `own:${id}`, icon: <NotebookPen aria-hidden />, of: "Your notes", text: internal_notes });
  }
  return notes;
}
