/** Owns the start of a walk: from a service of today, or with any of one's dogs. */
import { ArrowLeft, Footprints, Route } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import { deviceText } from "../../browser/device";
import type { ClientCard, ServiceView } from "../../core";
import { useRead, useReplica } from "../../data";
import { servicesOf, useWalks } from "../../data/walks/walks";
import { names } from "../../parts/walk/walkText";
import {
  Avatar,
  AvatarStack,
  Button,
  ButtonLink,
  Card,
  Checkbox,
  EmptyState,
  IconButton,
  PageBody,
  PageHeader,
  SearchField,
  toast,
  useBusy,
} from "../../ui";
import { ofService } from "./newWalk";
import { type NewWalk, startWalk } from "./tracker";
import { useBack } from "./useBack";

/** Twelve clients fit on a screen or two; more want a search. */
const SEARCH_FROM = 12;

/** With its client's name, by the dog's id. */
type ChosenDogs = ReadonlyMap<string, { name: string; client: string }>;

export function StartWalk() {
  const [, navigate] = useLocation();
  const back = useBack();
  const [chosen, setChosen] = useState<ChosenDogs>(new Map());
  const [search, setSearch] = useState("");
  const { busy, run } = useBusy();
  const minute = useMinute();
  const recorded = new Set((useWalks() ?? []).filter((it) => it.summary).flatMap(servicesOf));
  const startable = useRead((phone) => phone.walksToStart(minute), minute);
  // What was walked waits to be marked done; a second walk of it is not what one comes here for.
  const services = startable.filter((it) => !recorded.has(it.id));
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const clients = useReplica((phone) => phone.clientList(search, false)).filter((it) => it.dogs.length > 0);

  const start = (walk: NewWalk) =>
    run(async () => {
      try {
        await startWalk(walk);
        navigate("/walk", { replace: true });
      } catch {
        toast.error(deviceText("This phone could not store the walk. Please try again."));
      }
    });
  const dogs = [...chosen.values()].map((it) => it.name);
  const clientNames = [...new Set([...chosen.values()].map((it) => it.client))];

  return (
    <div className="mx-auto min-h-dvh max-w-150 pt-safe pb-safe">
      <PageHeader
        title="Start a walk"
        actions={
          <IconButton label="Back" onClick={back} className="order-first -ml-3">
            <ArrowLeft />
          </IconButton>
        }
      />
      <PageBody className="grid gap-5 pb-32">
        <ButtonLink kind="quiet" to="/routes" icon={<Route aria-hidden className="size-5" />}>
          Plan a route first
        </ButtonLink>
        {services.length > 0 && (
          <section className="grid gap-3" aria-labelledby="walks-today">
            <h2 id="walks-today" className="text-20 font-bold">
              Today
            </h2>
            {services.map((service) => (
              <ServiceCard
                key={service.id}
                service={service}
                disabled={busy}
                onStart={() => void start(ofService(service))}
              />
            ))}
          </section>
        )}
        <section className="grid gap-3" aria-labelledby="walks-dogs">
          <h2 id="walks-dogs" className="text-20 font-bold">
            {services.length > 0 ? "Or with any pets" : "With which pets?"}
          </h2>
          {(clients.length > SEARCH_FROM || search !== "") && (
            <SearchField label="Search clients" value={search} onChange={setSearch} />
          )}
          {hasLoaded && clients.length === 0 && search === "" && (
            <EmptyState icon={<Footprints aria-hidden />} title="No pets yet">
              You can still track a walk.
            </EmptyState>
          )}
          {clients.map((card) => (
            <ClientDogs key={card.client.id} card={card} chosen={chosen} onChoose={setChosen} />
          ))}
        </section>
      </PageBody>
      <div className="fixed inset-x-0 bottom-0 border-t border-line bg-card px-5 pt-3 pb-[max(20px,env(safe-area-inset-bottom))]">
        <div className="mx-auto max-w-134">
          <Button
            wide
            busy={busy}
            onClick={() =>
              void start({
                title: names(dogs) || "Walk",
                client_names: clientNames,
                dogs,
                dog_ids: [...chosen.keys()],
              })
            }
          >
            {dogs.length > 0 ? `Start walk with ${names(dogs)}` : "Start walk without a pet"}
          </Button>
        </div>
      </div>
    </div>
  );
}

interface ServiceCardProps {
  service: ServiceView;
  disabled: boolean;
  onStart: () => void;
}

function ServiceCard({ service, disabled, onStart }: ServiceCardProps) {
  return (
    <Card status={service.status} className="flex flex-wrap items-center gap-3">
      <AvatarStack>
        {service.dogs.map((dog) => (
          <Avatar key={dog} name={dog} />
        ))}
      </AvatarStack>
      <div className="min-w-0 flex-1 basis-[min(100%,7rem)]">
        <h3 className="font-bold wrap-anywhere">{names(service.dogs)}</h3>
        <p className="num text-14 text-ink-2">{service.formatted_time}</p>
        <p className="truncate text-14 text-ink-2">
          <bdi>{service.client_name}</bdi>
        </p>
      </div>
      <Button disabled={disabled} onClick={onStart}>
        Start<span className="sr-only"> walk with {names(service.dogs)}</span>
      </Button>
    </Card>
  );
}

interface ClientDogsProps {
  card: ClientCard;
  chosen: ChosenDogs;
  onChoose: (chosen: ChosenDogs) => void;
}

function ClientDogs({ card: { client, dogs }, chosen, onChoose }: ClientDogsProps) {
  return (
    <fieldset>
      <legend className="text-14 text-ink-2 wrap-anywhere">
        <bdi>{client.name}</bdi>
      </legend>
      {dogs.map((pet) => (
        <Checkbox
          key={pet.id}
          name=""
          label={<bdi className="wrap-anywhere">{pet.name}</bdi>}
          checked={chosen.has(pet.id)}
          onChange={(checked) => {
            const next = new Map(chosen);
            if (checked) next.set(pet.id, { name: pet.name, client: client.name });
            else next.delete(pet.id);
            onChoose(next);
          }}
        />
      ))}
    </fieldset>
  );
}
