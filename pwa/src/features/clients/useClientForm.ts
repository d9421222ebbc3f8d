/** Owns the state of one open client form: what is typed, which pets are unfolded, what is wrong, and how it is saved. */
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { newId, newPet, type Pet } from "../../core";
import { type Draft, type StoredPhoto, save, useDraft } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import { explainLimit } from "../../parts/plan/explainLimit";
import { confirm, type FieldError, toast } from "../../ui";
import {
  type ClientCommand,
  type ClientForm,
  changesRates,
  isBlank,
  photosToSave,
  sentenceOf,
  toCommand,
} from "./form";
import { type Unfolded, unfold } from "./unfolding";

export interface ClientFormProps {
  draftKey: string;
  /** Returns the values that the form begins with. */
  initial: () => ClientForm;
  fix: Fix<ClientCommand["name"]> | undefined;
  onClose: () => void;
  /** Text of the toast after a save. */
  saved?: string;
  /** With the client's id, once it is on the disk, and whether it has other rates than before. */
  onSaved: (id: string, hasNewRates: boolean) => void;
}

export type OpenClientForm = ReturnType<typeof useClientForm>;

export function useClientForm({ draftKey, initial, fix, onClose, saved, onSaved }: ClientFormProps) {
  const [first] = useState(initial);
  const draft = useDraft<ClientForm>(draftKey, first);
  const form = draft.value;
  const refused = fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined;
  const [errors, setErrors] = useState<FieldError[] | undefined>(refused);
  const [problem, setProblem] = useState<string>();
  const [unfolded, setUnfolded] = useState(() => unfold(first, refused ?? [], {}));
  const unfoldPet = (id: string, how: Unfolded) => setUnfolded({ ...unfolded, [id]: how });
  const pets = usePets(draft, unfoldPet);

  const [, navigate] = useLocation();
  const changeClient = (changes: Partial<ClientForm["client"]>) =>
    draft.set({ client: { ...form.client, ...changes } });
  const send = async () => {
    setProblem(undefined);
    const command = toCommand(form);
    const result = await save(command, sentenceOf(form), {
      draft: draftKey,
      photos: photosToSave(form),
      resolves: fix?.id,
      base_rev: fix?.base_rev ?? draft.base_rev,
    });
    if (result.ok) {
      toast.success(saved ?? (form.base ? "Client updated" : "Client added"));
      onSaved(form.client.id, command.name === "update_client" && changesRates(command.args.changes));
      return;
    }
    setErrors(result.fields);
    setUnfolded(unfold(form, result.fields, unfolded));
    if (result.fields.length === 0) setProblem(result.text);
    if (result.refusal.code === "limit_reached") {
      await explainLimit(result.refusal.what, navigate, { text: result.text, hasForm: true });
    }
  };
  const startOver = () => {
    draft.clear();
    setErrors(undefined);
    setUnfolded(unfold(first, [], {}));
  };
  const cancel = async () => {
    if (draft.dirty) {
      const drop = { title: "Drop what you typed?", action: "Drop", cancel: "Keep typing", danger: true };
      if (!(await confirm(drop))) return;
      draft.clear();
    }
    onClose();
  };
  return { draft, form, errors, problem, unfolded, unfoldPet, ...pets, changeClient, send, startOver, cancel };
}

/** Returns the actions on the pets of the form. */
function usePets({ value: form, set }: Draft<ClientForm>, unfoldPet: (id: string, how: Unfolded) => void) {
  // A photo takes a moment to prepare, and the form goes on meanwhile.
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);

  const changePet = (id: string, changes: Partial<Pet>) =>
    set({ dogs: latest.current.dogs.map((it) => (it.id === id ? { ...it, ...changes } : it)) });
  const addPet = () => {
    const pet = newPet(newId(), form.client.id);
    set({ dogs: [...form.dogs, pet] });
    unfoldPet(pet.id, "open");
  };
  const removePet = async (pet: Pet) => {
    const isKnown = form.base?.dogs.some((it) => it.id === pet.id) ?? false;
    const question = { title: `Remove ${pet.name.trim() || "this pet"}?`, action: "Remove", danger: true };
    if (!isBlank(pet) && !(await confirm({ ...question, text: isKnown ? "It is gone once you save." : undefined })))
      return;
    const { dogs, removed } = latest.current;
    set({ dogs: dogs.filter((it) => it.id !== pet.id), removed: isKnown ? [...removed, pet.id] : removed });
  };
  const addPhoto = (pet: Pet, photo: StoredPhoto) => {
    const { dogs, photos } = latest.current;
    set({
      dogs: dogs.map((it) => (it.id === pet.id ? { ...it, photo: photo.id } : it)),
      photos: [...photos, photo],
    });
  };
  return { changePet, addPet, removePet, addPhoto };
}
