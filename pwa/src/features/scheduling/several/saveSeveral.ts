/** Owns how an act on several visits is saved: with words of what it did, what stayed and who is told, and one way back. */
import type { Command } from "../../../core";
import { business, canSendNow, type SaveResult, save } from "../../../data";
import { toast } from "../../../ui";

type SeveralResult = { ok: true } | Extract<SaveResult, { ok: false }>;

/** An act on several visits, with what it is called where it waits. */
interface Act {
  command: Command;
  sentence: string;
}

/** Saves an act. What it does is worked out before: afterwards it is done. */
export const saveSeveral = (command: Command, sentence: string): Promise<SeveralResult> =>
  saveActs([{ command, sentence }]);

/** Saves acts one after the other, told together and with one way back for all that was saved. */
export async function saveActs(acts: readonly Act[]): Promise<SeveralResult> {
  const said: string[] = [];
  const undos: Undo[] = [];
  let refused: Extract<SaveResult, { ok: false }> | undefined;
  for (const { command, sentence } of acts) {
    const phone = await business().wholePhone();
    const now = Date.now();
    const { preview, left, told } = phone.previewServices(command, canSendNow(), now);
    const undo = phone.undoServices(command, now);
    if (!undo && !preview.problem) {
      said.push(left || "Nothing changes");
      continue;
    }
    const base_rev = phone.cursor();
    const result = await save(command, sentence);
    if (!result.ok) {
      refused = result;
      break;
    }
    said.push(preview.done, left, told);
    if (undo) undos.unshift({ command: undo, base_rev, sentence });
  }
  if (undos.length > 0) {
    toast.success(inOne(...said), { label: "Undo", onAction: () => void takeBack(undos) });
  } else if (!refused) toast.info(inOne(...said));
  return refused ?? { ok: true };
}

const inOne = (...sentences: string[]): string => sentences.filter(Boolean).join(" ");

/** The undo of an act that was saved, the latest first. */
interface Undo extends Act {
  base_rev: number;
}

async function takeBack(undos: readonly Undo[]): Promise<void> {
  const said: string[] = [];
  try {
    for (const { command, base_rev, sentence } of undos) {
      const phone = await business().wholePhone();
      const { left, told } = phone.previewServices(command, canSendNow(), Date.now());
      const result = await save(command, `Undo: ${sentence}`, { base_rev });
      if (!result.ok) {
        toast.error(result.text);
        return;
      }
      said.push(left, told);
    }
    toast.info(inOne("Undone.", ...said));
  } catch {
    toast.error("This could not be undone");
  }
}
