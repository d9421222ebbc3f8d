/** Owns the end of an account: it says what happens. */
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { useSession, useSyncStatus } from "../../data";
import { deleteAccount } from "../../data/account/deleteAccount";
import { countLocalData } from "../../data/localData";
import { useUnsentElsewhere } from "../../data/portal/portal";
import { toast } from "../../ui";
import { ProveForm } from "./ProveForm";

const WORD = "DELETE";

export function DeleteAccount({ onCancel }: { onCancel: () => void }) {
  const { pending, attention } = useSyncStatus();
  const [, navigate] = useLocation();
  const [walks, setWalks] = useState(0);
  const isParent = useSession().user?.role === "client";
  const elsewhere = useUnsentElsewhere();
  useEffect(() => {
    // A pet parent records none, and may have no business open.
    if (isParent) return;
    void countLocalData().then(
      (it) => setWalks(it.walks),
      () => undefined,
    );
  }, [isParent]);

  const send = async (password: string) => {
    const answer = await deleteAccount(password);
    if (answer.ok) {
      toast.info("Your account is deleted");
      navigate("/", { replace: true });
    }
    return answer;
  };
  const unsent = pending + attention + elsewhere;
  return (
    <ProveForm word={WORD} act="Delete account" onSubmit={send} onCancel={onCancel}>
      {isParent ? <OfParents /> : <OfSitters />}
      <li>{deviceText("Everything on this phone is deleted, too.")}</li>
      {walks > 0 && (
        <li>
          {deviceText(walks === 1 ? "1 walk is on this phone alone." : `${walks} walks are on this phone alone.`)}
        </li>
      )}
      {unsent > 0 && <li>{unsent === 1 ? "1 change was never sent." : `${unsent} changes were never sent.`}</li>}
      <li>
        Other devices are signed out. {isParent ? "The account cannot be restored." : "None of this can be restored."}
      </li>
    </ProveForm>
  );
}

const OfSitters = () => (
  <>
    <li>
      Your clients, pets, services, schedule, availability, messages, invoices, mileage, expenses, shared walks, photos,
      videos and documents are deleted on the server, for good. Export them first if you need them for your taxes.
    </li>
    <li>
      The payment processor keeps records of what you paid for Walkies for as long as tax law requires. Your clients'
      card payments stay in your own Stripe account.
    </li>
  </>
);

const OfParents = () => (
  <>
    <li>
      Your sign-in and your devices are deleted on the server, for good, and you are no longer connected with any
      sitter.
    </li>
    <li>
      Your sitters keep what they have about you: your contact details and home, your pets, visits, requests, messages,
      reports and invoices. Export it first if you want a copy. To have it deleted there, ask them.
    </li>
  </>
);
