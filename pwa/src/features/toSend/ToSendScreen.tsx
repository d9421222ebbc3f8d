/**
 * Owns 'To send': links of reports and invoices, and messages about a time off or a later visit, which the sitter has yet to
 * pass on to clients who are not in the portal. An entry leaves when the sitter says that it went, not when a program for
 * texts was opened.
 */
import { Check, CheckCheck, CircleCheck, Copy, Mail, MessageSquare } from "lucide-react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import type { ToSend } from "../../core";
import { useRead, useReplica } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { RelativeTime } from "../../parts/RelativeTime";
import { inviteAddress } from "../../parts/sharing/inviteAddress";
import { allPassedOn, mailTo, passedOn, textTo, urlOf } from "../../parts/sharing/passOn";
import { copyLink, copyWords } from "../../parts/sharing/sendLink";
import { Button, Card, EmptyState, OutsideLink, PageBody, PageHeader, useBusy } from "../../ui";

export default function ToSendScreen() {
  const now = useMinute();
  const items = useRead((phone) => phone.toSend(now), now);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  return (
    <>
      <PageHeader title="To send" sub={items.length === 0 ? undefined : "These clients are not in the portal"} />
      <PageBody className="grid max-w-220 grid-cols-1 gap-3">
        {items.map((item) => (
          <Entry key={`${item.id} ${item.client_id}`} item={item} />
        ))}
        {items.length > 1 && <MarkAll items={items} />}
        {items.length === 0 &&
          (hasLoaded ? (
            <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing to send">
              Reports and invoices for clients who are not in the portal, and get no mail of them, are listed here until
              you send the link, and messages about your time off or a later visit until you pass them on.
            </EmptyState>
          ) : (
            <LoadingOrFailure
              label="Loading what is to send"
              failure={(why) => `Failed to load what is to send. ${why}`}
            />
          ))}
      </PageBody>
    </>
  );
}

/** Below the entries, which are read first. */
function MarkAll({ items }: { items: readonly ToSend[] }) {
  const { busy, run } = useBusy();
  return (
    <Button
      kind="plain"
      busy={busy}
      className="justify-self-start"
      icon={<CheckCheck aria-hidden className="size-5" />}
      onClick={() => void run(() => allPassedOn(items))}
    >
      Mark all {items.length} as sent
    </Button>
  );
}

const copy = (item: ToSend): Promise<void> => (item.link ? copyLink(urlOf(item)) : copyWords(item.words));

function Entry({ item }: { item: ToSend }) {
  const { busy, run } = useBusy();
  const title = `to-send-${item.id}-${item.client_id}`;
  const isReachable = item.phone !== "" || item.email !== "";
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <div className="num min-w-0 wrap-anywhere">
        <h2 id={title} className="text-16 font-bold">
          {item.title}
        </h2>
        <p className="text-14 text-ink-2">
          For{" "}
          <Link
            to={`/clients/${item.client_id}`}
            className="hit font-bold text-ink underline decoration-line decoration-2 underline-offset-4"
          >
            <bdi>{item.client_name}</bdi>
          </Link>
          , {item.link ? "shared" : "written"} <RelativeTime at={item.shared_at} inSentence />
        </p>
        {item.lost_mail && <p className="pt-2 text-14">{item.lost_mail}</p>}
        {!item.link && (
          <p dir="auto" className="pt-2 whitespace-pre-wrap">
            {item.words}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 *:flex-1 *:basis-24">
        {item.phone && (
          <OutsideLink href={textTo(item)} icon={<MessageSquare aria-hidden className="size-5" />}>
            Text
          </OutsideLink>
        )}
        {item.email && (
          <OutsideLink href={mailTo(item)} icon={<Mail aria-hidden className="size-5" />}>
            Email
          </OutsideLink>
        )}
        <Button kind="quiet" icon={<Copy aria-hidden className="size-5" />} onClick={() => void copy(item)}>
          {item.link ? "Copy link" : "Copy message"}
        </Button>
      </div>
      {!isReachable && (
        <p className="text-14 text-ink-2">
          No phone number or email is known: copy {item.link ? "the link" : "the message"}, or invite them.
        </p>
      )}
      <div className="-mx-2 -mb-2 flex flex-wrap gap-x-2 border-t border-line pt-2">
        <Button
          kind="plain"
          busy={busy}
          icon={<Check aria-hidden className="size-5" />}
          onClick={() => void run(() => passedOn(item))}
        >
          Mark as sent
        </Button>
        <Link to={inviteAddress(item.client_id)} className="hit inline-flex min-h-12 items-center px-3 font-medium">
          Invite to the portal
        </Link>
      </div>
    </Card>
  );
}
