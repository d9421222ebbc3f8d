/** Owns a client's page: everything that one needs at the door and at the desk, with what comes and what was. */
import {
  BadgeDollarSign,
  CalendarPlus,
  DoorClosed,
  DoorOpen,
  Footprints,
  Mail,
  MapPin,
  MoreVertical,
  Pencil,
  Phone,
  ReceiptText,
  Trash2,
  UserCheck,
  UserX,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import {
  type ClientCard,
  formatDate,
  formatDateHeading,
  formatDollars,
  formatTime,
  type ServiceView,
} from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { callLink } from "../../parts/contact/contact";
import { isPage, navigateLink } from "../../parts/contact/navigation";
import { shortWeekday } from "../../parts/dates";
import { AccessNote } from "../../parts/visit/AccessNote";
import { CorrectMenu } from "../../parts/visit/CorrectMenu";
import { lateWord, shownStatus } from "../../parts/visit/visitText";
import { Banner, Button, ButtonLink, Chip, IconButton, Menu, StatusChip } from "../../ui";
import { MessageButton } from "../messages";
import { BalanceSection } from "./BalanceSection";
import { InvoicesSection, PortalSection, ReportsSection } from "./ClientRecords";
import { DeactivateDialog } from "./DeactivateDialog";
import { DetailSection, type Heading } from "./DetailSection";
import { HomeSection } from "./HomeSection";
import { activate } from "./inactive";
import { ParentChanges } from "./ParentChanges";
import { PetsSection } from "./PetsSection";
import { portalAct } from "./portalAct";
import { SeriesSection } from "./SeriesSection";
import { TextChoices } from "./TextChoices";

/** Past services shown at first, and with each 'Show more'. */
const PAST_STEP = 10;

interface ClientDetailProps {
  card: ClientCard;
  /** On a phone the page's header has the name already. */
  hasHeader: boolean;
  onEdit: () => void;
  onInvite: () => void;
  /** Opens the prices of the visits to come. */
  onPrices: () => void;
  onDelete: () => void;
}

export function ClientDetail({ card, hasHeader, onEdit, onInvite, onPrices, onDelete }: ClientDetailProps) {
  const { client } = card;
  const isInactive = client.inactive_since !== undefined && client.inactive_since !== null;
  const [isLeaving, setIsLeaving] = useState(false);
  const isPending = useReplica((phone) => phone.isPending("client", client.id));
  const heading: Heading = hasHeader ? "h2" : "h3";
  const rates = useReplica((phone) => phone.rates(client.id));
  const now = useMinute();
  const isNear = useReplica((phone) => phone.isVisitNear(client.id, now));
  const [, navigate] = useLocation();
  return (
    <article className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center gap-2">
        {!hasHeader && (
          <h2 className="min-w-0 flex-1 basis-full text-28 font-bold wrap-anywhere">
            <bdi>{client.name}</bdi>
          </h2>
        )}
        <span className="flex flex-wrap gap-2 empty:hidden max-md:basis-full">
          {isInactive && <Chip>Inactive</Chip>}
          {client.client_user_id && <Chip icon={<DoorOpen aria-hidden />}>In the portal</Chip>}
          {client.parent_left_at && <Chip icon={<DoorClosed aria-hidden />}>Left the portal</Chip>}
          {isPending && <WaitingMark />}
        </span>
        {!isInactive && (
          <ButtonLink
            kind="quiet"
            icon={<CalendarPlus aria-hidden className="size-5" />}
            className="max-md:px-3!"
            to={`/scheduling?new=1&client=${client.id}`}
          >
            Schedule
          </ButtonLink>
        )}
        <Button kind="quiet" icon={<Pencil aria-hidden className="size-5" />} className="max-md:px-3!" onClick={onEdit}>
          Edit
        </Button>
        {/* Neither of them wraps alone. */}
        <span className="flex gap-2">
          {card.can_message && <MessageButton card={card} />}
          <Menu
            label={`More for ${client.name}`}
            trigger={(props) => (
              <IconButton label={`More for ${client.name}`} {...props}>
                <MoreVertical />
              </IconButton>
            )}
            items={[
              client.lat !== null &&
                client.lng !== null && {
                  label: "Directions",
                  icon: <Footprints />,
                  onSelect: () => navigate(`/way/${client.id}`),
                },
              {
                label: "Create invoice",
                icon: <ReceiptText />,
                onSelect: () => navigate(`/invoices?client=${client.id}`),
              },
              portalAct(client, onInvite),
              { label: "Update prices of visits to come", icon: <BadgeDollarSign />, onSelect: onPrices },
              isInactive
                ? { label: "Make active again", icon: <UserCheck />, onSelect: () => void activate(client) }
                : { label: "Make inactive", icon: <UserX />, onSelect: () => setIsLeaving(true) },
              { label: "Delete client", icon: <Trash2 />, danger: true, onSelect: onDelete },
            ]}
          />
        </span>
      </div>

      {client.inactive_since && (
        <Banner kind="info" icon={<UserX aria-hidden />}>
          <p>Inactive since {formatDate(client.inactive_since)}. Hidden from lists; history is kept.</p>
          <Button kind="quiet" onClick={() => void activate(client)}>
            Make active again
          </Button>
        </Banner>
      )}

      <ParentChanges client={client} />
      <TextChoices clientId={client.id} heading={heading} />

      {client.access_notes && <AccessNote text={client.access_notes} isNear={isNear} />}

      {client.internal_notes && (
        <DetailSection title="Internal notes" heading={heading}>
          <p dir="auto" className="rounded-large border border-line bg-card p-4 whitespace-pre-wrap wrap-anywhere">
            {client.internal_notes}
          </p>
        </DetailSection>
      )}

      {(client.phone || client.email || client.address) && (
        <ul className="divide-y divide-line rounded-large border border-line bg-card 2xl:grid 2xl:auto-cols-fr 2xl:grid-flow-col 2xl:divide-x 2xl:divide-y-0">
          <ContactRow icon={<Phone aria-hidden />} href={callLink(client)} says="Call" text={client.phone} />
          <ContactRow icon={<Mail aria-hidden />} href={`mailto:${client.email}`} says="Write to" text={client.email} />
          <ContactRow
            icon={<MapPin aria-hidden />}
            href={navigateLink(client)}
            says="Navigate to"
            text={client.address}
          />
        </ul>
      )}

      {client.billing_address && (
        <DetailSection title="Billing address" heading={heading}>
          <p dir="auto" className="rounded-large border border-line bg-card p-4 whitespace-pre-wrap wrap-anywhere">
            {client.billing_address}
          </p>
        </DetailSection>
      )}

      <HomeSection client={client} calls={card.emergency_calls} heading={heading} />

      <PetsSection card={card} heading={heading} />

      <div className="grid grid-cols-1 items-start gap-5 2xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-5">
          <SeriesSection clientId={client.id} heading={heading} />
          <BalanceSection client={client} heading={heading} />
          <InvoicesSection client={client} heading={heading} />
          <Visits clientId={client.id} isInactive={isInactive} heading={heading} />
        </div>
        <div className="grid grid-cols-1 gap-5">
          <ReportsSection client={client} heading={heading} />
          <PortalSection client={client} heading={heading} onInvite={onInvite} />
          <DetailSection title="Rates" heading={heading}>
            <dl className="num grid gap-x-8 gap-y-1 rounded-large border border-line bg-card p-4 md:grid-cols-2">
              {rates.map(({ title, amount }) => (
                <div key={title} className="flex justify-between gap-2 border-line py-1">
                  <dt className="text-ink-2">{title}</dt>
                  <dd className="font-medium">{amount}</dd>
                </div>
              ))}
            </dl>
          </DetailSection>
        </div>
      </div>
      {isLeaving && <DeactivateDialog client={client} onClose={() => setIsLeaving(false)} />}
    </article>
  );
}

interface ContactRowProps {
  icon: ReactNode;
  href: string | undefined;
  /** Before the text, for those who do not see the icon. */
  says: string;
  text: string;
}

function ContactRow({ icon, href, says, text }: ContactRowProps) {
  if (!text) return null;
  return (
    <li>
      <a
        href={href}
        {...(href && isPage(href) && { target: "_blank", rel: "noreferrer" })}
        className="flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-3 first:rounded-t-large hover:bg-sunken [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ink-2"
      >
        {icon}
        <span className="sr-only">{says} </span>
        <bdi className="num min-w-0 wrap-anywhere">{text}</bdi>
      </a>
    </li>
  );
}

function Visits({ clientId, isInactive, heading }: { clientId: string; isInactive: boolean; heading: Heading }) {
  const [most, setMost] = useState(PAST_STEP);
  const { upcoming, past, past_count } = useReplica((phone) => phone.clientServices(clientId, most, Date.now()));
  return (
    <>
      <DetailSection title="Upcoming" heading={heading}>
        {upcoming.length > 0 ? (
          <VisitList visits={upcoming} />
        ) : (
          <p className="text-ink-2">
            Nothing planned.{" "}
            {!isInactive && (
              <Link to={`/scheduling?new=1&client=${clientId}`} className="hit font-bold underline underline-offset-2">
                Schedule a visit
              </Link>
            )}
          </p>
        )}
      </DetailSection>
      {past.length > 0 && (
        <DetailSection title="Past" heading={heading}>
          <VisitList visits={past} />
          {past_count > past.length && (
            <Button kind="plain" onClick={() => setMost(most + PAST_STEP)}>
              Show more ({past_count - past.length})
            </Button>
          )}
        </DetailSection>
      )}
    </>
  );
}

function VisitList({ visits }: { visits: readonly ServiceView[] }) {
  return (
    <ul className="@container divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
      {visits.map((it) => (
        <li key={it.id} className="flex items-center">
          <Link
            to={`/scheduling?date=${it.date}&service=${it.id}`}
            className="num grid min-h-12 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 -outline-offset-3 @max-[15rem]:grid-cols-1 *:@max-[15rem]:justify-self-start! hover:bg-sunken"
          >
            <span className="font-medium">
              {shortWeekday(formatDateHeading(it.date))}, {formatDate(it.date)},{" "}
              <span className="whitespace-nowrap">{formatTime(it.start_time)}</span>
            </span>
            <span className="text-right">{formatDollars(it.price)}</span>
            <span className="min-w-0 text-14 text-ink-2 wrap-anywhere">{it.summary}</span>
            <span className="justify-self-end">
              {shownStatus(it) !== "scheduled" && <StatusChip status={shownStatus(it)}>{lateWord(it)}</StatusChip>}
            </span>
          </Link>
          <CorrectMenu view={it} />
        </li>
      ))}
    </ul>
  );
}
