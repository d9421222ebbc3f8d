/**
 * Owns inviting a client to the portal: by text, by e-mail, by a QR code, all with the same link (SPEC 2, Clients). A code
 * is made by the server, so there is none without a network.
 */
import { Copy, Mail, MessageSquare } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Client, InviteAnswer } from "../../core";
import { useHasPulledSince, useReplica } from "../../data";
import { inviteClient } from "../../data/account/invites";
import { textLink } from "../../parts/contact/contact";
import { NotHere } from "../../parts/NotHere";
import { copyLink } from "../../parts/sharing/sendLink";
import { Button, Dialog, LoadFailure, OutsideLink, Skeleton, toast, useBusy } from "../../ui";

interface InviteDialogProps {
  clientId: string;
  onClose: () => void;
}

export function InviteDialog({ clientId, onClose }: InviteDialogProps) {
  const client = useReplica((phone) => phone.client(clientId)?.client);
  const isGone = useHasPulledSince(clientId);
  if (client) return <Known client={client} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} size="small" title="Invite">
      <NotHere what="client" isGone={isGone} action={<Button onClick={onClose}>Close</Button>} />
    </Dialog>
  );
}

function Known({ client, onClose }: { client: Client; onClose: () => void }) {
  const { invite, error, ask } = useInvite(client.id);
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={
        <>
          Invite <bdi>{client.name}</bdi>
        </>
      }
      sub="They see their visits, prices and reports, ask for new ones, and keep their pets' details right."
    >
      {error && <LoadFailure onRetry={() => void ask()}>{error}</LoadFailure>}
      {invite ? <Ways client={client} invite={invite} ask={ask} /> : !error && <InviteSkeleton />}
    </Dialog>
  );
}

interface OpenInvite {
  invite: InviteAnswer | undefined;
  error: string | undefined;
  /** Asks for a code, or for the last one once more; what came of it. */
  ask: (sendEmail?: boolean) => Promise<InviteAnswer | undefined>;
}

function useInvite(clientId: string): OpenInvite {
  const [invite, setInvite] = useState<InviteAnswer>();
  const [error, setError] = useState<string>();
  const ask = useCallback(
    async (send_email = false) => {
      setError(undefined);
      const answer = await inviteClient(clientId, send_email);
      if (!answer.ok) {
        setError(answer.error.text);
        return undefined;
      }
      setInvite(answer.value);
      return answer.value;
    },
    [clientId],
  );
  useEffect(() => void ask(), [ask]);
  return { invite, error, ask };
}

/** A mail from the sitter's own address, where the server sends none. */
const mailOf = (email: string, text: string): string =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent("Your invitation to Walkies")}&body=${encodeURIComponent(text)}`;

function Ways({ client, invite, ask }: { client: Client; invite: InviteAnswer; ask: OpenInvite["ask"] }) {
  const { busy, run } = useBusy();
  const sendsMail = useReplica((phone) => phone.sendsMail());
  const sendEmail = async () => {
    const sent = await ask(true);
    if (sent) toast.success(`The invitation goes to ${sent.mailed_to ?? client.email} by mail.`);
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <p dir="auto" className="rounded-small bg-sunken px-4 py-3 wrap-anywhere">
        {invite.text}
      </p>
      <div className="flex flex-wrap gap-2 *:flex-auto">
        <OutsideLink href={textLink(client.phone, invite.text)} icon={<MessageSquare aria-hidden className="size-5" />}>
          Text
        </OutsideLink>
        {sendsMail && (
          <Button
            kind="quiet"
            icon={<Mail aria-hidden className="size-5" />}
            busy={busy}
            disabled={client.email === ""}
            onClick={() => void run(sendEmail)}
          >
            Email
          </Button>
        )}
        {!sendsMail && client.email !== "" && (
          <OutsideLink href={mailOf(client.email, invite.text)} icon={<Mail aria-hidden className="size-5" />}>
            Email
          </OutsideLink>
        )}
        <Button kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void copyLink(invite.link)}>
          Copy link
        </Button>
      </div>
      {sendsMail && client.email !== "" && (
        <p className="text-14 text-ink-2 wrap-anywhere">
          Text and Copy link are yours to send. Email has Walkies send it to {client.email}.
        </p>
      )}
      {sendsMail && client.email === "" && (
        <p className="text-14 text-ink-2">Add an email to this client to have Walkies send it.</p>
      )}
      <figure className="grid justify-items-center gap-2">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(invite.qr_svg)}`}
          alt="QR code of the invitation"
          className="size-52 max-w-full rounded-small"
        />
        <figcaption className="text-14 text-ink-2">Or let them scan this with their camera.</figcaption>
      </figure>
      <p className="text-center text-14 text-ink-2 text-pretty">
        Or read them this code: <span className="num font-bold text-ink select-all">{invite.code}</span>. They enter it
        at <span className="text-ink wrap-anywhere">{new URL("/client", invite.link).href}</span>.
      </p>
    </div>
  );
}

function InviteSkeleton() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="mx-auto size-52" />
    </div>
  );
}
