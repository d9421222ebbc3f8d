/** Owns one invoice of the history: whose, for which days, where it stands, what has changed since, and what to do about it. */
import { Bell, Copy, Ellipsis, FileMinus, FileX2, HandCoins, MessageSquare, Send, Trash2, Undo2 } from "lucide-react";
import { Link } from "wouter";
import { formatDollars, type InvoiceCard as Invoice, type PaymentMethod } from "../../core";
import { business, useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { textLink } from "../../parts/contact/contact";
import { InvoiceState } from "../../parts/InvoiceState";
import { RelativeTime } from "../../parts/RelativeTime";
import { copyLink } from "../../parts/sharing/sendLink";
import { Banner, Button, Card, IconButton, Menu, OutsideLink, useBusy } from "../../ui";
import { callItTip, keepAsCredit, markPaid, named, remind, remove, restore, undoWriteOff, writeOff } from "./keeping";
import { urlOf } from "./link";
import { METHODS } from "./methods";
import { shareLink } from "./shareLink";

interface InvoiceCardProps {
  card: Invoice;
  onPay: () => void;
  onCredit: () => void;
  onRefund: () => void;
}

export function InvoiceCard({ card, onPay, onCredit, onRefund }: InvoiceCardProps) {
  const title = `invoice-${card.id}`;
  const isPending = useReplica((phone) => phone.isPending("invoice", card.id));
  return (
    <Card aria-labelledby={title} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <InvoiceState card={card} />
        {isPending && <WaitingMark />}
        {/* A reminder that waits to be sent has reminded nobody. */}
        {card.reminded_at && card.is_owed && !isPending && (
          <span className="num text-14 text-ink-2">
            reminded <RelativeTime at={card.reminded_at} inSentence />
            {card.is_told && !card.may_be_reminded && ", at most once an hour"}
          </span>
        )}
        {card.state !== "deleted" && <More card={card} onPay={onPay} onCredit={onCredit} onRefund={onRefund} />}
      </div>
      <div className="num flex flex-wrap justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-[min(100%,11rem)] wrap-anywhere">
          <h2 id={title} className="text-16 font-bold">
            {card.number && `${card.number}, `}
            <Link
              to={`/clients/${card.client_id}`}
              className="hit underline decoration-line decoration-2 underline-offset-4"
            >
              <bdi>{card.client_name}</bdi>
            </Link>
          </h2>
          {card.dogs && <p>{card.dogs}</p>}
          <p className="text-14 text-ink-2">{card.period}</p>
          {card.due && <p className="text-14 text-ink-2">{card.due}</p>}
          {card.mail && (
            <p className={`text-14 wrap-anywhere ${card.is_mail_lost ? "text-danger" : "text-ink-2"}`}>{card.mail}</p>
          )}
          {card.opened && <p className="text-14 text-ink-2">{card.opened}</p>}
        </div>
        <div className="ml-auto text-right">
          <p className="text-20 font-bold">{formatDollars(card.total)}</p>
          {card.balance !== 0 && card.balance !== card.total && (
            <p className="text-14">{formatDollars(card.balance)} still owed</p>
          )}
          {card.tip !== 0 && <p className="text-14 text-ink-2">{formatDollars(card.tip)} tip</p>}
          {card.kept !== 0 && <p className="text-14 text-ink-2">{formatDollars(card.kept)} kept as credit</p>}
          {card.written_off !== 0 && (
            <p className="text-14 text-ink-2">{formatDollars(card.written_off)} written off</p>
          )}
        </div>
      </div>
      <OwedBack card={card} onRefund={onRefund} />
      <Changes card={card} onCredit={onCredit} />
      <Acts card={card} />
    </Card>
  );
}

/** Money that the client has paid too much is nobody's tip until somebody says so. */
function OwedBack({ card, onRefund }: Pick<InvoiceCardProps, "card" | "onRefund">) {
  const { owed_back, unsaid, client_name, state } = card;
  const { busy, run } = useBusy();
  if (owed_back === 0 || state === "deleted") return null;
  return (
    <Banner
      kind="tag"
      action={
        <>
          <button type="button" onClick={onRefund}>
            Record a refund
          </button>
          <button type="button" disabled={busy} onClick={() => void run(() => keepAsCredit(card))}>
            Keep as credit
          </button>
          {unsaid > 0 && (
            <button type="button" disabled={busy} onClick={() => void run(() => callItTip(card))}>
              {unsaid === owed_back ? "It is a tip" : `${formatDollars(unsaid)} is a tip`}
            </button>
          )}
        </>
      }
    >
      <p className="num">
        {unsaid === owed_back
          ? `${client_name} paid ${formatDollars(owed_back)} more than was owed. What is the extra for?`
          : `${formatDollars(owed_back)} is owed back to ${client_name}`}
      </p>
    </Banner>
  );
}

/** The invoice stays as it was shared: what is different now is said, with what to do about it. */
function Changes({ card: { changes, client_id, link }, onCredit }: Pick<InvoiceCardProps, "card" | "onCredit">) {
  if (!changes) return null;
  const { lines, give_back, bill } = changes;
  return (
    <Banner
      kind="tag"
      action={
        <>
          {give_back > 0 && link && (
            <button type="button" onClick={onCredit}>
              Give {formatDollars(give_back)} back
            </button>
          )}
          {bill > 0 && <Link to={`/invoices?client=${client_id}`}>Bill {formatDollars(bill)} with the next one</Link>}
        </>
      }
    >
      <p>Changed since it was shared</p>
      <ul className="num list-disc pl-5">
        {lines.map((it) => (
          <li key={it}>{it}</li>
        ))}
      </ul>
    </Banner>
  );
}

function Acts({ card }: Pick<InvoiceCardProps, "card">) {
  const { busy, run } = useBusy();
  if (card.state === "deleted") {
    return (
      <Row>
        <Button
          kind="quiet"
          busy={busy}
          icon={<Undo2 aria-hidden className="size-5" />}
          onClick={() => void run(() => restore(card))}
        >
          Restore
        </Button>
      </Row>
    );
  }
  if (card.payable <= 0 && !card.link) return null;
  const pay = (method: PaymentMethod) => void run(() => markPaid(card, method));
  return (
    <Row>
      {card.payable > 0 && (
        <Menu
          label="Paid by"
          trigger={(props) => (
            <Button kind="quiet" busy={busy} className="max-md:grow" {...props}>
              Mark Paid
            </Button>
          )}
          items={METHODS.map(({ value, label }) => ({ label, onSelect: () => pay(value) }))}
        />
      )}
      {card.link && (
        <OutsideLink href={card.link} target="_blank" rel="noreferrer" className="max-md:grow">
          {card.state === "credit" ? "View Credit Note" : "View Invoice"}
        </OutsideLink>
      )}
    </Row>
  );
}

function Row({ children }: { children: React.ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-3">{children}</div>;
}

function More({ card, onPay, onCredit, onRefund }: InvoiceCardProps) {
  const { is_owed, is_told, may_be_reminded, phone, creditable, state, owed_back, kept } = card;
  const url = urlOf(card);
  return (
    <Menu
      label={`More for ${named(card)}`}
      trigger={(props) => (
        <IconButton label={`More for ${named(card)}`} className="-my-2 -mr-2 ml-auto" {...props}>
          <Ellipsis />
        </IconButton>
      )}
      items={[
        state !== "credit" && { label: "Payments", icon: <HandCoins aria-hidden />, onSelect: onPay },
        owed_back + kept > 0 && { label: "Record a refund", icon: <Undo2 aria-hidden />, onSelect: onRefund },
        is_owed &&
          is_told &&
          may_be_reminded && { label: "Remind", icon: <Bell aria-hidden />, onSelect: () => void remind(card) },
        is_owed &&
          phone !== "" && {
            label: "Remind by text",
            icon: <MessageSquare aria-hidden />,
            onSelect: () => void writeText(card),
          },
        url !== undefined && {
          label: "Share link",
          icon: <Send aria-hidden />,
          onSelect: () => void shareLink(card, url, `Invoice ${card.number}`),
        },
        url !== undefined && { label: "Copy link", icon: <Copy aria-hidden />, onSelect: () => void copyLink(url) },
        url !== undefined &&
          creditable > 0 && { label: "Credit note", icon: <FileMinus aria-hidden />, onSelect: onCredit },
        card.balance > 0 &&
          state !== "waiting" && {
            label: "Write off",
            icon: <FileX2 aria-hidden />,
            onSelect: () => void writeOff(card),
          },
        card.written_off > 0 && {
          label: "Undo write-off",
          icon: <Undo2 aria-hidden />,
          onSelect: () => void undoWriteOff(card),
        },
        "line",
        { label: "Delete", icon: <Trash2 aria-hidden />, danger: true, onSelect: () => void remove(card) },
      ]}
    />
  );
}

/** Opens what the phone writes texts with, with the words in it; the person sends it. */
async function writeText({ id, phone }: Invoice): Promise<void> {
  const text = (await business().wholePhone()).invoiceReminder(id, location.origin) ?? "";
  location.assign(textLink(phone, text));
}
