/**
 * Owns adding and editing a client with its pets: one form, all errors at once and in place, nothing typed ever lost.
 * It opens from the list, from a client's page, and from Needs attention with what was turned down.
 */
import { Plus } from "lucide-react";
import { useState } from "react";
import { useReplica } from "../../data";
import { useFixPhotos } from "../../parts/attention/waiting";
import { LimitBanner } from "../../parts/plan/LimitBanner";
import { Button, Dialog, DialogActions, Form, Skeleton, SubmitButton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { ContactFields } from "./ContactFields";
import { editForm, fixForm, newForm } from "./form";
import { PetSections } from "./PetSections";
import { PricingSection } from "./PricingSection";
import { type ClientFormProps, useClientForm } from "./useClientForm";

/** Draft key of a new client. */
export const NEW_CLIENT = "client:new";

const LIMITS = ["dogs"] as const;

/** With fewer, what each extra dog costs could not be shown. */
const EXAMPLE_DOGS = 2;

interface ClientDialogProps extends Pick<ClientFormProps, "fix" | "onClose" | "onSaved"> {
  /** Absent for a new client. */
  id: string | undefined;
}

export function ClientDialog({ id, fix, onClose, onSaved }: ClientDialogProps) {
  const card = useReplica((phone) => (id ? phone.client(id) : undefined));
  const fresh = useReplica(newForm);
  const photos = useFixPhotos(fix);
  // The form keeps what it began with: what other phones change meanwhile must not overwrite what is typed.
  const [begin] = useState(() => (fix || !card ? undefined : editForm(card)));
  if (photos === undefined) return null;
  const isEdit = fix ? fix.command.name === "update_client" : id !== undefined;
  return (
    <Dialog open onClose={onClose} dismissible={false} size="large" title={isEdit ? "Edit Client" : "Add Client"}>
      <ClientFormBody
        draftKey={fix ? `client:fix:${fix.id}` : id ? `client:${id}` : NEW_CLIENT}
        initial={() => (fix ? fixForm(fix.command, card, photos) : (begin ?? fresh))}
        fix={fix}
        onClose={onClose}
        onSaved={onSaved}
      />
    </Dialog>
  );
}

function ClientFormBody(props: ClientFormProps) {
  const open = useClientForm(props);
  const { draft, form, errors, problem, changeClient, addPet, removePet, send, startOver, cancel } = open;
  if (!draft.ready) return <FormSkeleton />;
  const named = form.dogs.filter((it) => it.name.trim() !== "").length;
  return (
    <Form errors={errors} error={problem} failed="Failed to save client" onSubmit={send} className="gap-5">
      {draft.restored && <Restored onStartOver={startOver} />}
      <ContactFields client={form.client} onChange={changeClient} />
      <div className="grid gap-3">
        <LimitBanner of={LIMITS} />
        <PetSections
          open={open}
          onRemove={removePet}
          hint="Your client sees all of this in the portal, and may change it."
        />
        <div>
          <Button kind="quiet" icon={<Plus aria-hidden className="size-5" />} onClick={addPet}>
            Add another pet
          </Button>
        </div>
      </div>
      <PricingSection client={form.client} dogs={Math.max(EXAMPLE_DOGS, named)} onChange={changeClient} />
      <DialogActions>
        <Button kind="quiet" onClick={() => void cancel()}>
          Cancel
        </Button>
        <SubmitButton>{props.fix ? "Save and send again" : "Save Client"}</SubmitButton>
      </DialogActions>
    </Form>
  );
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
