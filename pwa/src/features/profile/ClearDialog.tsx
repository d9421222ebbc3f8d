/** Owns clearing a business: it says what goes, and what can be brought back of it. */
import { useEffect, useState } from "react";
import { formatDate, newId } from "../../core";
import { dayOf, useReplica, useSyncStatus } from "../../data";
import { type ClearState, clearBusiness, clearState } from "../../data/account/ownData";
import type { Answer } from "../../data/server/api";
import { LoadFailure, toast } from "../../ui";
import { ProveForm } from "./ProveForm";

export default function ClearDialog({ onDone }: { onDone: () => void }) {
  const { pending } = useSyncStatus();
  const word = useReplica((phone) => phone.clearWord());
  const [once] = useState(newId);
  const [before, lookAgain] = useClearedBefore();
  const send = async (password: string) => {
    const answer = await clearBusiness({ password, word, keeps: before?.ok === true && before.value === null }, once);
    if (answer.ok) {
      toast.info("Your business is being cleared");
      onDone();
      return { ok: true } as const;
    }
    const { error } = answer;
    return { ok: false, error: { text: error.text, fields: error.kind === "rejected" ? error.fields : [] } } as const;
  };
  return (
    <ProveForm word={word} act="Clear my business" isKnown={before?.ok === true} onSubmit={send} onCancel={onDone}>
      <li>
        Your clients, pets, services, offerings, availability, requests, messages, invoices, mileage, expenses and
        shared walks go, here and on your other devices.
      </li>
      <li>
        Links that you have shared stop working. Pet parents see nothing, and are told that you ended their access.
      </li>
      <li>Your account, your profile, your settings, your documents and the walks on your phones stay.</li>
      {before === undefined && <li>Asking the server whether this can be undone</li>}
      {before?.ok === false && (
        <li>
          <LoadFailure onRetry={lookAgain}>
            Walkies cannot tell yet whether you could undo this. {before.error.text}
          </LoadFailure>
        </li>
      )}
      {before?.ok === true && before.value === null && (
        <li>
          For 30 days you can bring all of it back, as long as you add nothing new. After that it is deleted for good.
        </li>
      )}
      {before?.ok === true && before.value !== null && (
        <li>
          The server keeps what you cleared before until {formatDate(dayOf(Date.parse(before.value.undo_until)))}. What
          is here now is deleted for good. Export it first if you need it.
        </li>
      )}
      {pending > 0 && <li>Changes that wait to be sent are sent afterwards, and may need attention.</li>}
    </ProveForm>
  );
}

/** Asks anew for the earlier clearing: the server keeps nothing of a second clearing. */
function useClearedBefore(): [Answer<ClearState | null> | undefined, () => void] {
  const [answer, setAnswer] = useState<Answer<ClearState | null>>();
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let isShown = true;
    setAnswer(undefined);
    void clearState().then((it) => {
      if (isShown) setAnswer(it);
    });
    return () => {
      isShown = false;
    };
  }, [looks]);
  return [answer, () => setLooks((it) => it + 1)];
}
