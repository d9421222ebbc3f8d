/** Owns the end of an account: it says what happens. */
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { hasBothRoles, type Role, type SessionUser, useSession, useSyncStatus } from "../../data";
import { deleteAccount } from "../../data/account/deleteAccount";
import { useOnlyHere } from "../../data/localData";
import { useUnsentElsewhere } from "../../data/portal/portal";
import { counted, onlyHere } from "../../parts/account/counted";
import { ROLE_HOME } from "../../parts/account/SwitchRole";
import { toast } from "../../ui";
import { ProveForm } from "./ProveForm";

const WORD = "DELETE";

export function DeleteAccount({ onCancel }: { onCancel: () => void }) {
  const { pending, attention } = useSyncStatus();
  const [, navigate] = useLocation();
  const { user } = useSession();
  const isParent = user?.role === "client";
  const staysAs = user && hasBothRoles(user) ? (isParent ? "sitter" : "client") : undefined;
  const elsewhere = useUnsentElsewhere();

  const send = async (password: string) => {
    const answer = await deleteAccount(password);
    if (answer.ok) {
      toast.info(staysAs ? DELETED[staysAs] : "Your account is deleted");
      navigate(staysAs ? ROLE_HOME[staysAs] : "/", { replace: true });
    }
    return answer;
  };
  const unsent = pending + elsewhere.pending;
  const undone = attention + elsewhere.attention;
  const alone = onlyHere(useOnlyHere());
  return (
    <ProveForm word={WORD} act={nameOfDeletion(user)} onSubmit={send} onCancel={onCancel}>
      {staysAs && <li>{STAYS[staysAs]}</li>}
      {isParent ? <OfParents staysAs={staysAs} /> : <OfSitters />}
      <li>
        {deviceText(staysAs ? "The copy on this phone is deleted, too." : "Everything on this phone is deleted, too.")}
      </li>
      {alone && <li>{deviceText(`Only on this phone: ${alone}.`)}</li>}
      {unsent > 0 && <li>{`${counted(unsent, "change")} ${unsent === 1 ? "was" : "were"} never sent.`}</li>}
      {undone > 0 && (
        <li>{`${counted(undone, "change")} in Needs attention ${undone === 1 ? "is" : "are"} not done.`}</li>
      )}
      <li>
        Other devices are signed out.{" "}
        {isParent && !staysAs ? "The account cannot be restored." : "None of this can be restored."}
      </li>
    </ProveForm>
  );
}

/** The role that is left, and what was deleted. */
const DELETED: Record<Role, string> = {
  client: "Your business is deleted. You are still a pet parent.",
  sitter: "You are no longer a pet parent here. Your business is as it was.",
};

const STAYS: Record<Role, string> = {
  client: "You stay signed in as a pet parent, with the same email and password.",
  sitter: "Your business stays as it is, with the same email and password.",
};

/** Name of what the button deletes: of a person with both roles the one that is shown. */
export function nameOfDeletion(user: SessionUser | undefined): string {
  if (!user || !hasBothRoles(user)) return "Delete account";
  return user.role === "client" ? "Delete pet parent account" : "Delete business";
}

const OfSitters = () => (
  <>
    <li>
      Your clients, pets, services, schedule, availability, messages, invoices, mileage, expenses, shared walks, photos,
      videos and documents are deleted on the server, for good. Export them first if you need them for your taxes.
    </li>
    <li>
      Clients who use the app lose access, and are told that you left and to ask you about visits that they have booked.
    </li>
    <li>
      The payment processor keeps records of what you paid for Walkies for as long as tax law requires. Your clients'
      card payments stay in your own Stripe account.
    </li>
  </>
);

const OfParents = ({ staysAs }: { staysAs: Role | undefined }) => (
  <>
    <li>
      {staysAs
        ? "You are no longer connected with any sitter, for good. "
        : "Your sign-in and your devices are deleted on the server, for good, and you are no longer connected with any sitter. "}
      Your sitters are told that you left.
    </li>
    <li>
      Your sitters keep what they have about you, since it is the record of their work: your contact details and home,
      your pets, visits, requests, messages, reports and invoices. Export it first if you want a copy. To have it
      deleted there, ask them.
    </li>
    <li>Booked visits are not cancelled. If you no longer need one, tell your sitter first.</li>
  </>
);
