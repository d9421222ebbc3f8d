/** Owns what a client's page has of invoices, reports and the portal: the newest of each, and the way to the rest. */
import { DoorClosed, DoorOpen, NotebookText } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { type Client, formatDollars, formatNames, limits, type Parent, type UnlinkClient } from "../../core";
import { SEND_STATE, useRead, useReplica, useSendState } from "../../data";
import { InvoiceState } from "../../parts/InvoiceState";
import { RelativeTime } from "../../parts/RelativeTime";
import { reportUrl } from "../../parts/sharing/sendLink";
import { useOwnPages } from "../../parts/sharing/useOwnPages";
import { Button } from "../../ui";
import { BookChoice } from "./BookChoice";
import { DetailSection, type Heading } from "./DetailSection";
import { LiveChoice } from "./LiveChoice";
import { endPortalAccess } from "./portalAct";

/** So many are shown at first. */
const FEW = 3;

interface ClientRecordsProps {
  client: Client;
  heading: Heading;
}

const LIST = "divide-y divide-line overflow-hidden rounded-large border border-line bg-card";
const ROW = "num flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 -outline-offset-3 hover:bg-sunken";

export function InvoicesSection({ client, heading }: ClientRecordsProps) {
  const now = useMinute();
  const { cards, more } = useRead((phone) => phone.invoiceHistory("all", client.id, "", FEW, now), client.id, now);
  if (cards.length === 0) return null;
  return (
    <DetailSection title="Invoices" heading={heading}>
      <ul className={LIST}>
        {cards.map((card) => (
          <li key={card.id}>
            <Link
              to={`/invoices?${new URLSearchParams({ tab: "history", client: client.id, search: card.number })}`}
              className={ROW}
            >
              <span className="min-w-0 flex-1 basis-[min(100%,9rem)] wrap-anywhere">
                <span className="block font-medium">{card.number || "Not sent yet"}</span>
                <span className="block text-14 text-ink-2">{card.period}</span>
              </span>
              <InvoiceState card={card} />
              <span className="ml-auto font-medium">{formatDollars(card.total)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Link
          to={`/invoices?tab=history&client=${client.id}`}
          className="hit inline-flex min-h-12 items-center justify-self-start font-bold underline underline-offset-2"
        >
          {more} more
        </Link>
      )}
    </DetailSection>
  );
}

export function ReportsSection({ client, heading }: ClientRecordsProps) {
  useOwnPages();
  const [most, setMost] = useState(FEW);
  const reports = useRead((phone) => phone.reports(), client.id).filter((it) => it.client_id === client.id);
  if (reports.length === 0) return null;
  return (
    <DetailSection title="Reports" heading={heading}>
      <ul className={LIST}>
        {reports.slice(0, most).map(({ id, dogs, started_at, share_id }) => (
          <li key={id}>
            <ReportRow shareId={share_id}>
              <NotebookText aria-hidden className="size-5 shrink-0 text-ink-2" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <bdi className="block font-medium">{formatNames(dogs)}</bdi>
                <span className="block text-14 text-ink-2">
                  <RelativeTime at={started_at} />
                </span>
              </span>
            </ReportRow>
          </li>
        ))}
      </ul>
      {reports.length > most && (
        <Button kind="plain" onClick={() => setMost(most + 4 * FEW)}>
          Show more ({reports.length - most})
        </Button>
      )}
    </DetailSection>
  );
}

/** A report gets its address from the server: until then there is nothing to open. */
function ReportRow({ shareId, children }: { shareId: string | null | undefined; children: React.ReactNode }) {
  if (!shareId) return <div className={ROW}>{children}</div>;
  return (
    <a href={reportUrl(shareId)} target="_blank" rel="noreferrer" className={ROW}>
      {children}
    </a>
  );
}

export function PortalSection({ client, heading, onInvite }: ClientRecordsProps & { onInvite: () => void }) {
  const isPending = useReplica((phone) => phone.isPending("client", client.id));
  const isEnding = useReplica((phone) =>
    phone
      .outbox()
      .some(({ mutation: { name, args } }) => name === "unlink_client" && (args as UnlinkClient).id === client.id),
  );
  const state = useSendState();
  const { parents = [] } = client;
  const isIn = Boolean(client.client_user_id);
  return (
    <DetailSection title="Portal" heading={heading}>
      <div className="grid grid-cols-1 gap-3 rounded-large border border-line bg-card px-4 py-3">
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
            {isEnding && !isIn && `${SEND_STATE[state]}: `}
            <bdi>{client.name}</bdi>
            {isIn
              ? " has a login: visits, reports and invoices are there to see, and visits can be requested."
              : isEnding
                ? " still has a login. It ends once this is sent."
                : " has no login. An invitation shows visits, reports and invoices in the app."}
          </p>
          {isIn && parents.length < 2 && (
            <Button
              kind="quiet"
              disabled={isPending}
              icon={<DoorClosed aria-hidden className="size-5" />}
              onClick={() => void endPortalAccess(client)}
            >
              End portal access
            </Button>
          )}
        </div>
        {parents.length > 0 && (
          <ul aria-label="People with a login" className="grid grid-cols-1 gap-2">
            {parents.map((parent) => (
              <LinkedParent
                key={parent.user_id}
                client={client}
                parent={parent}
                isAlone={parents.length === 1}
                isPending={isPending}
              />
            ))}
          </ul>
        )}
        {isEnding && isIn && (
          <p className="text-14 text-ink-2">{SEND_STATE[state]}: a login that you ended works until this is sent.</p>
        )}
        {parents.length < limits().parents && (
          <Button
            kind="quiet"
            icon={<DoorOpen aria-hidden className="size-5" />}
            onClick={onInvite}
            className="md:justify-self-start"
          >
            {isIn ? "Invite another parent" : "Invite to portal"}
          </Button>
        )}
        {(isIn || client.books_at_once) && !client.inactive_since && <BookChoice client={client} isIn={isIn} />}
        {isIn && <LiveChoice client={client} />}
      </div>
    </DetailSection>
  );
}

interface LinkedParentProps {
  client: Client;
  parent: Parent;
  isAlone: boolean;
  isPending: boolean;
}

/** Pet parents who redeemed an invitation, and the end of the access of one where others of the household have it, too. */
function LinkedParent({ client, parent, isAlone, isPending }: LinkedParentProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <bdi className="block font-medium">{parent.name}</bdi>
        <span className="num block text-14 text-ink-2">
          {parent.email}
          {parent.linked_at && (
            <>
              {parent.email && ", "}joined <RelativeTime at={parent.linked_at} inSentence />
            </>
          )}
        </span>
      </span>
      {!isAlone && (
        <Button
          kind="quiet"
          disabled={isPending}
          aria-label={`End access of ${parent.name}`}
          onClick={() => void endPortalAccess(client, parent)}
        >
          End access
        </Button>
      )}
    </li>
  );
}
