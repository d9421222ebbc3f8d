/** Owns what became of the invoices of 'Bill all': what went to whom and by which way, what waits, and what was refused. */
import { CircleCheck, ReceiptText } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { type BilledInvoice, type BilledState, formatDollars } from "../../core";
import { SEND_STATE, useRead, useSendState } from "../../data";
import { Button, ButtonLink, Chip, EmptyState } from "../../ui";

/** Invoices that are drawn at first, and as many more at once. */
const PAGE = 30;

/** An invoice that the phone itself could not save. */
export interface NotSaved {
  id: string;
  client_id: string;
  label: string;
  why: string;
}

interface BilledAllProps {
  ids: string[];
  notSaved: NotSaved[];
  onDone: () => void;
}

export function BilledAll({ ids, notSaved, onDone }: BilledAllProps) {
  const now = useMinute();
  const invoices = useRead((phone) => phone.billedInvoices(ids, now), ids, now);
  const state = useSendState();
  const [shown, setShown] = useState(PAGE);
  const countOf = (state: BilledState) => invoices.filter((it) => it.state === state).length;
  const refused = countOf("refused");
  const toSend = invoices.filter((it) => it.is_to_send).length;
  const sentences = [
    counted(countOf("shared"), "is shared", "are shared"),
    counted(countOf("waiting"), "waits to be sent", "wait to be sent"),
    counted(refused + notSaved.length, "was not shared", "were not shared"),
  ].filter(Boolean);
  if (sentences.length === 0) {
    return (
      <EmptyState
        icon={<ReceiptText aria-hidden />}
        title="These invoices are no longer here"
        action={<Button onClick={onDone}>Done</Button>}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4 pb-2">
      <p role="status" className="num text-20 font-bold text-pretty">
        {sentences.join(", ")}
      </p>
      {notSaved.length > 0 && (
        <ul aria-label="Not shared" className="divide-y divide-line rounded-large border border-line bg-card">
          {notSaved.map(({ id, label, why }) => (
            <li key={id} className="px-4 py-3">
              <bdi className="font-medium wrap-anywhere">{label}</bdi>
              <p className="text-14 text-danger">{why}</p>
            </li>
          ))}
        </ul>
      )}
      {invoices.length > 0 && (
        <ul aria-label="Invoices" className="divide-y divide-line rounded-large border border-line bg-card">
          {invoices.slice(0, shown).map((it) => (
            <Row key={it.id} invoice={it} waits={SEND_STATE[state]} />
          ))}
        </ul>
      )}
      {invoices.length > shown && (
        <Button kind="plain" onClick={() => setShown(shown + PAGE)}>
          View {Math.min(PAGE, invoices.length - shown)} more
        </Button>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {refused > 0 && (
          <ButtonLink kind="quiet" to="/attention">
            Needs attention
          </ButtonLink>
        )}
        {toSend > 0 && (
          <ButtonLink kind="quiet" to="/to-send">
            {toSend === 1 ? "Send 1 link" : `Send ${toSend} links`}
          </ButtonLink>
        )}
        <Button icon={<CircleCheck aria-hidden className="size-5" />} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

function Row({ invoice, waits }: { invoice: BilledInvoice; waits: string }) {
  const { client_id, client_name, number, total, state, said, is_to_send } = invoice;
  const kind = state === "refused" ? "danger" : is_to_send ? "tag" : "plain";
  return (
    <li className="num flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-3">
      <span className="min-w-0 wrap-anywhere">
        {number && `${number}, `}
        <Link
          to={`/clients/${client_id}`}
          className="hit font-medium underline decoration-line decoration-2 underline-offset-4"
        >
          <bdi>{client_name || "Client"}</bdi>
        </Link>
      </span>
      <span>{formatDollars(total)}</span>
      <span className="basis-full">
        <Chip kind={kind}>{state === "waiting" ? waits : said}</Chip>
      </span>
    </li>
  );
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? "" : count === 1 ? `1 invoice ${one}` : `${count} invoices ${many}`;
