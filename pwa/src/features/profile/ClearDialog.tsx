/** Owns clearing a business: it says what goes, and what can be brought back of it. */
import { useState } from "react";
import { newId } from "../../core";
import { useReplica, useSyncStatus } from "../../data";
import { clearBusiness } from "../../data/account/ownData";
import { toast } from "../../ui";
import { ProveForm } from "./ProveForm";

interface ClearDialogProps {
  /** Until when what was cleared before is kept. */
  keptUntil: string | undefined;
  onDone: () => void;
}

export default function ClearDialog({ keptUntil, onDone }: ClearDialogProps) {
  const { pending } = useSyncStatus();
  const word = useReplica((phone) => phone.clearWord());
  const [once] = useState(newId);
  const send = async (password: string) => {
    const answer = await clearBusiness(password, word, once);
    if (answer.ok) {
      toast.info("Your business is being cleared");
      onDone();
      return { ok: true } as const;
    }
    const { error } = answer;
    return { ok: false, error: { text: error.text, fields: error.kind === "rejected" ? error.fields : [] } } as const;
  };
  return (
    <ProveForm word={word} act="Clear my business" onSubmit={send} onCancel={onDone}>
      <li>
        Your clients, pets, services, offerings, availability, requests, messages, invoices, mileage, expenses and
        shared walks go, here and on your other devices.
      </li>
      <li>Links that you have shared lead nowhere any more, and pet parents see nothing.</li>
      <li>Your account, your profile, your settings, your documents and the walks on your phones stay.</li>
      {keptUntil === undefined ? (
        <li>
          For 30 days you can bring all of it back, as long as you add nothing new. After that it is deleted for good.
        </li>
      ) : (
        <li>
          What you cleared before stays kept until {keptUntil}. What is here now is deleted for good. Export it first if
          you need it.
        </li>
      )}
      {pending > 0 && <li>Changes that wait to be sent are sent afterwards, and may need attention.</li>}
    </ProveForm>
  );
}
