/**
 * Owns questions that want a yes or a no: `if (await confirm({ title: "Delete this walk?", action: "Delete" })) …`.
 * One `ConfirmHost` in the app shows them.
 */

import { type ReactNode, useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";
import { Button } from "./Button";
import { Dialog, DialogActions } from "./Dialog";

export interface ConfirmOptions {
  /** The question itself. */
  title: string;
  /** Consequences of a yes. */
  text?: ReactNode;
  /** The verb of the yes: 'Delete'. */
  action: string;
  /** The words of the no. */
  cancel?: string;
  /** The yes destroys something. */
  danger?: boolean;
}

interface Asked extends ConfirmOptions {
  answer: (yes: boolean) => void;
}

let asked: Asked | undefined;
const changes = new Listeners();

function show(next: Asked | undefined): void {
  asked?.answer(false);
  asked = next;
  changes.notify();
}

/** Asks and waits. A newer question answers an older one with no. */
export const confirm = (question: ConfirmOptions): Promise<boolean> =>
  new Promise((answer) => show({ ...question, answer }));

function decide(yes: boolean): void {
  asked?.answer(yes);
  asked = undefined;
  show(undefined);
}

export function ConfirmHost() {
  const question = useSyncExternalStore(changes.subscribe, () => asked);
  if (!question) return null;
  return (
    <Dialog open size="small" title={question.title} onClose={() => decide(false)}>
      <div className="grid gap-4">
        {question.text && <div className="text-ink-2 wrap-anywhere">{question.text}</div>}
        <DialogActions className="border-t-0">
          <Button kind="quiet" onClick={() => decide(false)}>
            {question.cancel ?? "Cancel"}
          </Button>
          <Button kind={question.danger ? "danger" : "primary"} onClick={() => decide(true)}>
            {question.action}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
