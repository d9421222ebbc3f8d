/**
 * Owns adding and editing a client with its pets: one form, all errors at once and in place, nothing typed ever lost.
 * It opens from the list, from a client's page, and from Needs attention with what was turned down.
 */
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { newId, newPet, type Pet, type Units } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import {
  Button,
  confirm,
  Dialog,
  DialogActions,
  type FieldError,
  FieldGroup,
  Form,
  Skeleton,
  SubmitButton,
  TextArea,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { type Fix, useFixPhotos } from "../attention/fix";
import {
  type ClientCommand,
  type ClientForm,
  editForm,
  fixForm,
  newForm,
  photosToSave,
  sentenceOf,
  toCommand,
} from "./form";
import { HomePosition } from "./HomePosition";
import { isBlank, PetSection, type Unfolded, unfoldedBy } from "./PetSection";
import { PricingSection } from "./PricingSection";

interface ClientDialogProps {
  /** Absent for a new client. */
  id: string | undefined;
  fix: Fix<ClientCommand["name"]> | undefined;
  onClose: () => void;
  /** With the client's id, once it is on the disk. */
  onSaved: (id: string) => void;
}

export function ClientDialog({ id, fix, onClose, onSaved }: ClientDialogProps) {
  const card = useReplica((phone) => (id ? phone.client(id) : undefined));
  const photos = useFixPhotos(fix);
  // The form keeps what it began with: what other phones change meanwhile must not overwrite what is typed.
  const [begin] = useState(() => (fix || !card ? undefined : editForm(card)));
  if (photos === undefined) return null;
  const isEdit = fix ? fix.command.name === "update_client" : id !== undefined;
  return (
    <Dialog open onClose={onClose} dismissible={false} size="large" title={isEdit ? "Edit Client" : "Add Client"}>
      <ClientFormBody
        draftKey={fix ? `client:fix:${fix.id}` : `client:${id ?? "new"}`}
        initial={() => (fix ? fixForm(fix.command, card, photos) : (begin ?? newForm()))}
        fix={fix}
        onClose={onClose}
        onSaved={onSaved}
      />
    </Dialog>
  );
}

interface BodyProps extends Pick<ClientDialogProps, "fix" | "onClose" | "onSaved"> {
  draftKey: string;
  initial: () => ClientForm;
}

function ClientFormBody({ draftKey, initial, fix, onClose, onSaved }: BodyProps) {
  const [first] = useState(initial);
  const draft = useDraft<ClientForm>(draftKey, first);
  const form = draft.value;
  const units = useReplica((phone): Units => phone.sitter()?.units ?? "imperial");
  const refused = fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined;
  const [errors, setErrors] = useState<FieldError[] | undefined>(refused);
  const [problem, setProblem] = useState<string>();
  // A new client's only pet is open; known pets wait to be asked for.
  const [unfolded, setUnfolded] = useState<Record<string, Unfolded>>(() => unfold(first, refused ?? [], {}));
  // A photo takes a moment to prepare, and the form goes on meanwhile.
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);

  if (!draft.ready) return <FormSkeleton />;

  const changeClient = (changes: Partial<ClientForm["client"]>) =>
    draft.set({ client: { ...form.client, ...changes } });
  const changePet = (id: string, changes: Partial<Pet>) =>
    draft.set({ dogs: latest.current.dogs.map((it) => (it.id === id ? { ...it, ...changes } : it)) });
  const addPet = () => {
    const pet = newPet(newId(), form.client.id);
    draft.set({ dogs: [...form.dogs, pet] });
    setUnfolded({ ...unfolded, [pet.id]: "open" });
  };
  const removePet = async (pet: Pet) => {
    const isKnown = form.base?.dogs.some((it) => it.id === pet.id) ?? false;
    const question = { title: `Remove ${pet.name.trim() || "this pet"}?`, action: "Remove", danger: true };
    if (!isBlank(pet) && !(await confirm({ ...question, text: isKnown ? "It is gone once you save." : undefined })))
      return;
    const { dogs, removed } = latest.current;
    draft.set({ dogs: dogs.filter((it) => it.id !== pet.id), removed: isKnown ? [...removed, pet.id] : removed });
  };

  const send = async () => {
    setProblem(undefined);
    const result = await save(toCommand(form), sentenceOf(form), {
      draft: draftKey,
      photos: photosToSave(form),
      resolves: fix?.id,
      base_rev: fix?.base_rev ?? draft.base_rev,
    });
    if (result.ok) {
      toast.success(form.base ? "Client updated" : "Client added");
      onSaved(form.client.id);
      return;
    }
    setErrors(result.fields);
    setUnfolded(unfold(form, result.fields, unfolded));
    if (result.fields.length === 0) setProblem(result.text);
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

  const named = form.dogs.filter((it) => it.name.trim() !== "").length;
  return (
    <Form errors={errors} error={problem} failed="Failed to save client" onSubmit={send} className="gap-5">
      {draft.restored && <Restored onStartOver={startOver} />}
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          name="name"
          label="Client name"
          value={form.client.name}
          onChange={(name) => changeClient({ name })}
          autoComplete="off"
          className="md:col-span-2"
        />
        <TextField
          name="phone"
          label="Phone"
          type="tel"
          optional
          value={form.client.phone}
          onChange={(phone) => changeClient({ phone })}
          autoComplete="off"
        />
        <TextField
          name="email"
          label="Email"
          type="email"
          optional
          autoCapitalize="none"
          value={form.client.email}
          onChange={(email) => changeClient({ email })}
          autoComplete="off"
        />
        <TextField
          name="address"
          label="Address"
          optional
          value={form.client.address}
          onChange={(address) => changeClient({ address })}
          autoComplete="off"
          className="md:col-span-2"
        />
        <HomePosition
          lat={form.client.lat}
          lng={form.client.lng}
          address={form.client.address}
          onChange={changeClient}
        />
        <TextArea
          name="access_notes"
          label="Access notes"
          optional
          rows={2}
          hint="Key, alarm, gate. Only you see this."
          value={form.client.access_notes}
          onChange={(access_notes) => changeClient({ access_notes })}
          className="md:col-span-2"
        />
      </div>
      <div className="grid gap-3">
        <h3 className="text-20 font-bold">Pets</h3>
        <FieldGroup name="dogs" label="Pets" hideLabel className="gap-3">
          {form.dogs.map((pet, place) => (
            <PetSection
              key={pet.id}
              pet={pet}
              place={place}
              units={units}
              unfolded={unfolded[pet.id] ?? "closed"}
              onUnfold={(how) => setUnfolded({ ...unfolded, [pet.id]: how })}
              unsaved={form.photos}
              onChange={(changes) => changePet(pet.id, changes)}
              onPhoto={(photo) => {
                const { dogs, photos } = latest.current;
                draft.set({
                  dogs: dogs.map((it) => (it.id === pet.id ? { ...it, photo: photo.id } : it)),
                  photos: [...photos, photo],
                });
              }}
              onRemove={form.dogs.length > 1 ? () => void removePet(pet) : undefined}
            />
          ))}
        </FieldGroup>
        <div>
          <Button kind="quiet" icon={<Plus aria-hidden className="size-5" />} onClick={addPet}>
            Add another pet
          </Button>
        </div>
      </div>
      <PricingSection client={form.client} dogs={Math.max(2, named)} onChange={changeClient} />
      <DialogActions>
        <Button kind="quiet" onClick={() => void cancel()}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : "Save Client"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Opens what must be seen and leaves the rest as it is. */
function unfold(form: ClientForm, errors: readonly FieldError[], before: Record<string, Unfolded>) {
  const entries = form.dogs.map((pet, place): [string, Unfolded] => {
    const was = before[pet.id] ?? (form.base || form.dogs.length > 1 ? "closed" : "open");
    const needed = unfoldedBy(errors, place);
    return [pet.id, needed === "all" || (needed === "open" && was === "closed") ? needed : was];
  });
  return Object.fromEntries(entries);
}

function FormSkeleton() {
  return (
    <div className="grid gap-4 pb-5">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}
