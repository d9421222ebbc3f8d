/** Owns what a sitter knows of a pet parent's home and pets, as the person sees it and keeps it right. */
import { ChevronRight, Images, MapPin, Pencil, Phone } from "lucide-react";
import { Link, useLocation, useSearchParams } from "wouter";
import { type Client, formatNames, type Pet, type Units } from "../../core";
import { useReplica } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { AccessNote } from "../../parts/visit/AccessNote";
import { Button, goBack, PageBody, PageHeader, useStep } from "../../ui";
import { HomeSection, PetCard, TextChoices } from "../clients";
import { HomeDialog } from "./HomeDialog";
import { HomeReminder } from "./HomeReminder";
import { useOwnCard } from "./ownClient";

export default function PortalPets() {
  const card = useOwnCard();
  const [params] = useSearchParams();
  const [path, navigate] = useLocation();
  const step = useStep();
  const { fix, leaveFix } = useFix("create_client", "restore_client", "update_client");
  const open = () => navigate(`${path}?form=edit`, { state: { above: true } });
  const close = () => (step?.above ? goBack() : navigate(path, { replace: true }));
  return (
    <>
      <PageHeader
        title="Pets & home"
        sub="What your sitter knows"
        actions={
          <Button kind="quiet" icon={<Pencil aria-hidden className="size-5" />} disabled={!card} onClick={open}>
            Edit
          </Button>
        }
      />
      <PageBody className="grid max-w-220 grid-cols-1 gap-5">
        <HomeReminder />
        {card ? (
          <Known card={card} />
        ) : (
          <LoadingOrFailure label="Loading your pets" failure={(why) => `Your pets could not be loaded yet. ${why}`} />
        )}
      </PageBody>
      {card && fix && <HomeDialog key={fix.id} card={card} fix={fix} onClose={leaveFix} />}
      {card && !fix && params.get("form") === "edit" && <HomeDialog card={card} fix={undefined} onClose={close} />}
    </>
  );
}

function Known({ card: { client, dogs, gone_dogs } }: { card: NonNullable<ReturnType<typeof useOwnCard>> }) {
  const units = useReplica((phone): Units => phone.sitter()?.units ?? "imperial");
  const isPending = useReplica((phone) => phone.isPending("client", client.id));
  return (
    <>
      <TextChoices clientId={client.id} heading="h2" />
      {dogs.length > 0 && (
        <section aria-label="Pets" className="grid gap-2">
          <h2 className="text-20 font-bold">Pets</h2>
          <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
            {dogs.map((pet) => (
              <PetCard key={pet.id} pet={pet} units={units} />
            ))}
          </ul>
        </section>
      )}
      <Streams pets={[...dogs, ...gone_dogs]} />
      {gone_dogs.length > 0 && (
        <section aria-label="No longer with us" className="grid gap-2">
          <h2 className="text-20 font-bold">No longer with us</h2>
          <p className="text-14 text-ink-2">Their photos, reports and visits stay here.</p>
          <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
            {gone_dogs.map((pet) => (
              <PetCard key={pet.id} pet={pet} units={units} />
            ))}
          </ul>
        </section>
      )}
      {(client.address || client.phone) && (
        <section aria-label="Contact" className="grid gap-2">
          <h2 className="flex items-center text-16 font-bold">Contact {isPending && <WaitingMark />}</h2>
          <ul className="num grid gap-3 rounded-large border border-line bg-card p-4 [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-2">
            {client.address && (
              <li className="flex items-center gap-3 wrap-anywhere">
                <MapPin aria-hidden /> <bdi>{client.address}</bdi>
              </li>
            )}
            {client.phone && (
              <li className="flex items-center gap-3">
                <Phone aria-hidden /> <bdi>{client.phone}</bdi>
              </li>
            )}
          </ul>
        </section>
      )}
      <HomeSection client={client} heading="h2" />
      <WayIn client={client} isPending={isPending} />
      {client.parents && client.parents.length > 1 && (
        <p className="text-14 text-ink-2 wrap-anywhere">
          Logins of your household: <bdi>{formatNames(client.parents.map((it) => it.name))}</bdi>
        </p>
      )}
    </>
  );
}

/** The way in that the household gave; closed, so that nobody reads it over a shoulder. */
function WayIn({ client: { id, how_to_get_in: given }, isPending }: { client: Client; isPending: boolean }) {
  const readers = useReplica((phone) => phone.accessReaders(id));
  if (!given) return null;
  return (
    <section aria-label="How to get in" className="grid gap-2">
      <AccessNote title="How to get in" text={given} isNear={false} />
      <p className="text-14 text-ink-2 wrap-anywhere">
        {readers} {isPending && <WaitingMark />}
      </p>
    </section>
  );
}

/** Links to the photos and notes of each pet. */
function Streams({ pets }: { pets: readonly Pet[] }) {
  if (pets.length === 0) return null;
  return (
    <ul
      aria-label="Photos and notes"
      className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card"
    >
      {pets.map(({ id, name }) => (
        <li key={id}>
          <Link
            to={`/client/stream/${id}`}
            className="flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-3 hover:bg-sunken"
          >
            <Images aria-hidden className="size-5 shrink-0" />
            <span className="min-w-0 flex-1 font-bold wrap-anywhere">
              Photos and notes of <bdi>{name}</bdi>
            </span>
            <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
