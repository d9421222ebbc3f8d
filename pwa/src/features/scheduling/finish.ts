/** Owns marking a service done and calling it off: each is said, with a way back for as long as that stands. */
import type { ServiceView } from "../../core";
import { business, canSendNow, save } from "../../data";
import { withDraft } from "../../data/business/drafts";
import { NO_WORDS, notesKey, type VisitWords } from "../../parts/visit/notes";
import { dogNames, sentence } from "../../parts/visit/visitText";
import { type FormProblem, toast } from "../../ui";
import type { CancelReason } from "./CancelVisits";

type Saving = Parameters<typeof save>[2];

/** Completes a service; resolves with the sentence that says why not, or with nothing where it is saved. */
export async function complete(
  view: ServiceView,
  words?: Partial<VisitWords>,
  saving?: Saving,
): Promise<string | undefined> {
  try {
    const command = {
      name: "complete_service",
      args: { id: view.id, ...NO_WORDS, ...words, despite_cancel: false },
    } as const;
    const result = await save(command, sentence("Complete", view), saving);
    if (!result.ok) return result.text;
  } catch {
    return "Failed to complete service";
  }
  toast.success("Service completed successfully", { label: "Undo", onAction: () => void reopen(view) });
  return undefined;
}

/** As `complete`, with the notes that were written before, as at the end of its walk. */
export const completeAsItStands = (view: ServiceView): Promise<string | undefined> => {
  const key = notesKey(view.id);
  return withDraft(key, (words) => {
    // The form of the notes has left them.
    const left = words as Partial<VisitWords> | undefined;
    return complete(view, left, left && { draft: key });
  });
};

/** Cancels a service; resolves with what is wrong, or with nothing where it is saved. */
export async function cancel(view: ServiceView, said: CancelReason): Promise<FormProblem | undefined> {
  try {
    const result = await save({ name: "cancel_service", args: { id: view.id, ...said } }, sentence("Cancel", view));
    if (!result.ok) return result;
  } catch {
    return { text: "Failed to cancel service" };
  }
  toast.success("Service cancelled successfully", { label: "Undo", onAction: () => void takePlace(view) });
  return undefined;
}

/** Undoes a cancellation, which concerns the client as much as that did. */
async function takePlace(view: ServiceView): Promise<void> {
  const phone = await business().wholePhone();
  // A cancellation that still waits on this phone goes out together with its undo, and the server tells nobody of either.
  const isUnsent = !canSendNow() && phone.isPending("service", view.id);
  const told = phone.toldOfVisit(view.client_id, view.end_date ?? view.date, canSendNow(), Date.now());
  await reopen(view, isUnsent ? "" : `. ${told}`);
}

async function reopen(view: ServiceView, told = ""): Promise<void> {
  try {
    const result = await save({ name: "reopen_service", args: { id: view.id } }, sentence("Undo", view));
    if (result.ok) toast.info(`${dogNames(view)} is scheduled again${told}`);
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}
