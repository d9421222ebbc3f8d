/** Owns the menu of a visit that is completed or cancelled: opening it again, which says before what that undoes. */
import { MoreVertical, Undo2 } from "lucide-react";
import type { ServiceView } from "../../core";
import { business, canSendNow, save } from "../../data";
import { confirm, IconButton, Menu, toast } from "../../ui";
import { dogNames, sentence } from "./visitText";

/** Nothing for a visit that is scheduled. */
export function CorrectMenu({ view }: { view: ServiceView }) {
  if (view.status === "scheduled") return null;
  const label = `More about ${dogNames(view)}`;
  return (
    <span className="relative z-1">
      <Menu
        label={label}
        items={[{ label: "Reopen to correct", icon: <Undo2 aria-hidden />, onSelect: () => void correct(view) }]}
        trigger={(props) => (
          <IconButton label={label} {...props}>
            <MoreVertical />
          </IconButton>
        )}
      />
    </span>
  );
}

async function correct(view: ServiceView): Promise<void> {
  const phone = await business().wholePhone();
  const preview = phone.correction(view.id, canSendNow(), Date.now());
  if (!preview) return;
  if (preview.problem) {
    toast.error(preview.problem);
    return;
  }
  const yes = await confirm({
    title: view.status === "completed" ? "Reopen this completed service?" : "Reopen this cancelled service?",
    text: `${dogNames(view)}, ${view.formatted_time}. ${preview.text}`,
    action: "Reopen",
    cancel: "Leave it",
  });
  if (!yes) return;
  try {
    const result = await save(
      { name: "reopen_service", args: { id: view.id, corrects: true } },
      sentence("Reopen", view),
    );
    if (!result.ok) toast.error(result.text);
    else toast.info(`${dogNames(view)} is scheduled again`, { label: "Undo", onAction: () => void markAgain(view) });
  } catch {
    toast.error("Failed to update service");
  }
}

/** Undoes a correction: the visit is marked as it was, from now on. */
async function markAgain(view: ServiceView): Promise<void> {
  try {
    const result = await save(
      view.status === "completed"
        ? { name: "complete_service", args: { id: view.id, notes: "", despite_cancel: false } }
        : {
            name: "cancel_service",
            args: { id: view.id, reason: view.cancel_reason ?? "", tells_reason: view.tells_cancel_reason ?? false },
          },
      sentence("Undo", view),
    );
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}
