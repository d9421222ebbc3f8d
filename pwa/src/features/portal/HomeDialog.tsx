/** Owns the form in which a pet parent completes and corrects home and pets and adds a pet; taking one out is the sitter's. */
import { Plus } from "lucide-react";
import { type ClientCard, savedByParent } from "../../core";
import { useSyncStatus } from "../../data";
import { useFixPhotos } from "../../parts/attention/waiting";
import { Button, Dialog, DialogActions, Form, Skeleton, SubmitButton, TextArea, TextField } from "../../ui";
import { Readers, ReadersKey } from "../../ui/Readers";
import { Restored } from "../../ui/Restored";
import { type ClientFormProps, editForm, fixForm, type OpenClientForm, PetSections, useClientForm } from "../clients";
import { ParentReaders } from "./ParentReaders";

interface HomeDialogProps {
  card: ClientCard;
  fix: ClientFormProps["fix"];
  onClose: () => void;
}

export function HomeDialog({ card, fix, onClose }: HomeDialogProps) {
  const photos = useFixPhotos(fix);
  const { canSend } = useSyncStatus();
  if (photos === undefined) return null;
  return (
    <Dialog open onClose={onClose} dismissible={false} size="large" title="Pets & home">
      <ParentReaders>
        <HomeForm
          draftKey={fix ? `client:fix:${fix.id}` : `client:${card.client.id}`}
          initial={() => (fix ? fixForm(fix.command, card, photos) : editForm(card))}
          fix={fix}
          onClose={onClose}
          onSaved={onClose}
          saved={savedByParent(canSend)}
        />
      </ParentReaders>
    </Dialog>
  );
}

function HomeForm(props: ClientFormProps) {
  const open = useClientForm(props);
  const { draft, form, errors, problem, send, startOver, cancel, addPet, removePet } = open;
  const isAdded = (pet: { id: string }) => !form.base?.dogs.some((it) => it.id === pet.id);
  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form errors={errors} error={problem} failed="Failed to save" onSubmit={send} className="gap-5">
      {draft.restored && <Restored onStartOver={startOver} />}
      <ReadersKey marks={["client", "links"]} />
      <Readers>
        <div className="grid gap-3">
          <PetSections open={open} onRemove={removePet} canRemove={isAdded} />
          <div>
            <Button kind="quiet" icon={<Plus aria-hidden className="size-5" />} onClick={addPet}>
              Add another pet
            </Button>
          </div>
        </div>
        <Home open={open} />
      </Readers>
      <DialogActions>
        <Button kind="quiet" onClick={() => void cancel()}>
          Cancel
        </Button>
        <SubmitButton>{props.fix ? "Save and send again" : "Save"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function Home({ open: { form, changeClient } }: { open: OpenClientForm }) {
  const { client } = form;
  const isTakenBack = !client.how_to_get_in && form.base?.client.how_to_get_in;
  const of = (name: "address" | "phone" | "emergency_contact" | "vet" | "house_instructions" | "how_to_get_in") => ({
    name,
    reader: `client.${name}` as const,
    optional: true,
    value: client[name] ?? "",
    onChange: (value: string) => changeClient({ [name]: value }),
  });
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <TextArea
        {...of("house_instructions")}
        label="House instructions"
        rows={3}
        hint="Food, rooms, habits: what someone who comes in should know."
        className="md:col-span-2"
      />
      <TextArea
        {...of("how_to_get_in")}
        label="How to get in"
        rows={2}
        hint={
          isTakenBack ? "Saving this takes it back. What your sitter has noted stays with them." : "Key, code, alarm."
        }
        className="md:col-span-2"
      />
      <TextField {...of("emergency_contact")} label="Emergency contact" hint="Whom to call if you do not answer." />
      <TextField {...of("vet")} label="Vet" hint="Name and number, and a second number for after hours." />
      <TextField {...of("address")} label="Address" autoComplete="street-address" />
      <TextField {...of("phone")} label="Phone" type="tel" autoComplete="tel" />
    </div>
  );
}
