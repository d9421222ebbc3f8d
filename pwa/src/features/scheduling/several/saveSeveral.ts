/** Owns how an act on several visits is saved: with words of what it did, what stayed and who is told, and one way back. */
import type { Command } from "../../../core";
import { business, canSendNow, type SaveResult, save } from "../../../data";
import { toast } from "../../../ui";

type SeveralResult = { ok: true } | Extract<SaveResult, { ok: false }>;

/** Saves an act. What it does is worked out before: afterwards it is done. */
export async function saveSeveral(command: Command, sentence: string): Promise<SeveralResult> {
  const phone = await business().wholePhone();
  const now = Date.now();
  const { preview, left, told } = phone.previewServices(command, canSendNow(), now);
  const undo = phone.undoServices(command, now);
  if (!undo && !preview.problem) {
    toast.info(left || "Nothing changes");
    return { ok: true };
  }
  const base_rev = phone.cursor();
  const result = await save(command, sentence);
  if (!result.ok) return result;
  const action = undo && { label: "Undo", onAction: () => void takeBack(undo, base_rev, sentence) };
  toast.success(inOne(preview.done, left, told), action);
  return { ok: true };
}

const inOne = (...sentences: string[]): string => sentences.filter(Boolean).join(" ");

async function takeBack(undo: Command, base_rev: number, sentence: string): Promise<void> {
  try {
    const phone = await business().wholePhone();
    const { left, told } = phone.previewServices(undo, canSendNow(), Date.now());
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (result.ok) toast.info(inOne("Undone.", left, told));
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}
