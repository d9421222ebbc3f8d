/** Owns what profile forms hold: the touched fields over the stored profile, so that two phones both keep their words. */
import type { Sitter } from "../../core";
import { type Draft, type SaveResult, type StoredPhoto, save } from "../../data";

/** Changes in a profile form that were typed and not saved. */
export interface ProfileDraft {
  changes: Partial<Sitter>;
  /** Taken or picked here and not saved yet. */
  photos: StoredPhoto[];
}

export const NOTHING: ProfileDraft = { changes: {}, photos: [] };

/** A profile with what stands in the form. */
export type ProfileFields = { [F in keyof Sitter]-?: Exclude<Sitter[F], undefined> };

export const fieldsOf = (sitter: Sitter, changes: Partial<Sitter>): ProfileFields =>
  ({
    business_name: "",
    phone: "",
    service_area_address: "",
    units: "imperial",
    ...sitter,
    ...changes,
  }) as ProfileFields;

/** Sets these fields of the form, and leaves the others as they were typed. */
export function change(draft: Draft<ProfileDraft>, changes: Partial<Sitter>): void {
  draft.set({ changes: { ...draft.value.changes, ...changes } });
}

/** Returns the typed fields that differ from the stored ones. */
export const touched = (sitter: Sitter, { changes }: ProfileDraft): Partial<Sitter> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => value !== fieldsOf(sitter, {})[name as keyof Sitter]),
  );

interface Saving {
  key: string;
  resolves?: string | undefined;
  base_rev?: number | undefined;
}

/** Saves it; throws where the disk does not take it. */
export async function saveProfile(
  sitter: Sitter,
  value: ProfileDraft,
  { key, resolves, base_rev }: Saving,
): Promise<SaveResult> {
  const changes = touched(sitter, value);
  return save({ name: "update_profile", args: { changes } }, "Change the profile", {
    draft: key,
    photos: value.photos.filter((it) => it.id === changes.photo),
    resolves,
    base_rev,
  });
}
