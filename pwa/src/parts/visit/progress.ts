/** Owns letting a client know how far a visit has come. */
import type { MarkProgress, ProgressStep, ServiceView } from "../../core";
import { save, useReplica } from "../../data";
import { toast } from "../../ui";
import { sentence } from "./visitText";

/** The sitter's words for each step, as on its button. */
export const SAYS: Record<ProgressStep, string> = { on_the_way: "On my way", started: "Started" };

/** Lets the client know, also when the sitter should be there, or takes back what was said. */
export async function tellProgress(view: ServiceView, step: ProgressStep | null, wayMinutes?: number): Promise<void> {
  try {
    const way = wayMinutes === undefined ? {} : { way_minutes: wayMinutes };
    const command = { name: "mark_progress", args: { id: view.id, step, ...way } } as const;
    const result = await save(command, sentence(step ? SAYS[step] : "Take back", view));
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error("Failed to update service");
  }
}

/** True while a step of this visit, or taking it back, waits to be sent: the client sees what was sent before it. */
export const useStepWaits = (id: string): boolean =>
  useReplica((phone) =>
    phone.outbox().some(({ mutation: { name, args } }) => name === "mark_progress" && (args as MarkProgress).id === id),
  );
