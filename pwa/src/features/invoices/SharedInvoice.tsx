/** Owns what is said after an invoice was shared: its number and link when it has gone, and until then that it waits. */
import { Copy, Mail, MessageSquare, Send, WifiOff } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { deviceText } from "../../browser/device";
import type { InvoiceLink } from "../../core";
import { SEND_STATE, type SendState, sendAnyhow, sendNow, useReplica, useSendState, useSyncStatus } from "../../data";
import { copyLink } from "../../parts/sharing/sendLink";
import { Banner, Button, ButtonLink, Dialog, DialogActions, OutsideLink, Spinner, TextField, toast } from "../../ui";
import { mailTo, textTo, titleOf, urlOf } from "./link";
import { isAwaited, tellWhenShared } from "./news";
import { shareLink } from "./shareLink";

interface SharedInvoiceProps {
  id: string;
  onClose: () => void;
  /** Opens it again. */
  onOpen: () => void;
}

export function SharedInvoice({ id, onClose, onOpen }: SharedInvoiceProps) {
  const link = useReplica((phone) => phone.invoiceLink(id));
  const url = link && urlOf(link);
  const isWaiting = useRef(false);
  isWaiting.current = link !== undefined && url === undefined;

  useEffect(() => {
    if (url !== undefined && isAwaited(id)) void copyShared(url);
  }, [id, url]);
  const reopen = useRef(onOpen);
  reopen.current = onOpen;
  // Whoever goes on with something else is told when it has gone.
  useEffect(
    () => () => {
      if (isWaiting.current) void tellWhenShared(id, () => reopen.current());
    },
    [id],
  );

  return (
    <Dialog open onClose={onClose} title={link ? titleOf(link) : "Invoice"} sub={link && <bdi>{link.client_name}</bdi>}>
      <div className="grid grid-cols-1 gap-4">
        {link && url ? (
          <Ready link={link} url={url} />
        ) : link ? (
          <Waiting />
        ) : (
          <Banner kind="danger" role="alert">
            It was not shared, or it was deleted.
          </Banner>
        )}
        <DialogActions>
          {!link && (
            <ButtonLink kind="quiet" to="/attention">
              Needs attention
            </ButtonLink>
          )}
          <Button kind="quiet" onClick={onClose}>
            Close
          </Button>
          {link && url && (
            <Button
              icon={<Send aria-hidden className="size-5" />}
              onClick={() => void shareLink({ id, ...link }, url, titleOf(link))}
            >
              Share…
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}

function Waiting() {
  const state = useSendState();
  const { unreachable } = useSyncStatus();
  if (state === "sending") {
    return (
      <p role="status" className="flex items-center gap-3">
        <Spinner /> The invoice is being shared. It gets its number and link now.
      </p>
    );
  }
  const why = unreachable ?? SEND_STATE[state];
  return (
    <Banner role="status" icon={<WifiOff aria-hidden />} action={WAYS_ON[state]}>
      {deviceText(
        `${why}: the invoice waits on this phone. It will get its number and link once it is shared. We'll let you know.`,
      )}
    </Banner>
  );
}

const sendingBy = (send: () => void) => (
  <button type="button" onClick={send}>
    Send now
  </button>
);

/** Ways on for a person. The update is offered by the banner of every screen. */
const WAYS_ON: Partial<Record<SendState, ReactNode>> = {
  sign_in: <Link to="/auth/login?message=session_expired">Sign in</Link>,
  wifi: sendingBy(sendAnyhow),
  trouble: sendingBy(sendNow),
};

function Ready({ link, url }: { link: InvoiceLink; url: string }) {
  const client = useReplica((phone) => phone.client(link.client_id)?.client);
  return (
    <>
      {link.told && <p>{link.told}</p>}
      <TextField reader="none" name="url" label="Link for the client" value={url} onChange={() => undefined} />
      <div className="flex flex-wrap gap-2 *:flex-1 *:basis-36">
        <Button kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void copyLink(url)}>
          Copy link
        </Button>
        {client?.phone && (
          <OutsideLink href={textTo(client.phone, link, url)} icon={<MessageSquare aria-hidden className="size-5" />}>
            Text
          </OutsideLink>
        )}
        {client?.email && (
          <OutsideLink href={mailTo(client.email, link, url)} icon={<Mail aria-hidden className="size-5" />}>
            Email
          </OutsideLink>
        )}
      </div>
    </>
  );
}

/** SPEC 8; where the clipboard is refused the dialog shows the link to be copied. */
async function copyShared(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast.success("Invoice shared! URL copied to clipboard");
  } catch {
    toast.success("Invoice shared! Copy its link for the client");
  }
}
