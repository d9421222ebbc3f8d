/**
 * Owns the way on foot to a client's door, found on the map that is on this phone: no network is needed, and nobody hears
 * where the phone is. It goes along with the walker. Whoever wants more is led by the phone's own navigation.
 */
import { ArrowLeft, KeyRound, MapPin, Navigation, TriangleAlert } from "lucide-react";
import { use, useEffect, useMemo, useState } from "react";
import { Route, useLocation, useParams } from "wouter";
import { deviceText } from "../../browser/device";
import { addressId, type ClientCard, formatDistance, NO_ID, type Place, type Units } from "../../core";
import { lineOf, loadWalkCore } from "../../core/walk";
import { useHasPulledSince, useReplica } from "../../data";
import { preloadMap, TrackMap } from "../../map";
import { isPage, navigateLink } from "../../parts/contact/navigation";
import { NotHere } from "../../parts/NotHere";
import { BlankGround } from "../../parts/walk/BlankGround";
import { DoorDialog } from "../../parts/walk/DoorDialog";
import { length } from "../../parts/walk/walkText";
import { Banner, ButtonLink, cx, EmptyState, goBack, IconButton, Skeleton, useStep } from "../../ui";
import { Directions } from "./RouteDetail";
import { homeOf, placeAt } from "./start";
import { useHere } from "./useHere";
import { useWay } from "./useWay";

export default function WayScreen() {
  use(loadWalkCore());
  useEffect(preloadMap, []);
  return (
    <Route path="/way/:client">
      <ToClient />
    </Route>
  );
}

function ToClient() {
  const id = addressId(useParams<{ client: string }>().client) ?? NO_ID;
  const card = useReplica((phone) => phone.client(id));
  const isGone = useHasPulledSince(id);
  const back = useBackToClient(id);
  const { lat, lng } = card?.client ?? {};
  const door = useMemo(() => (lat == null || lng == null ? undefined : placeAt(lat, lng)), [lat, lng]);
  if (card && door) return <Way card={card} door={door} onBack={back} />;
  return (
    <div className="grid min-h-dvh content-center">
      {card ? (
        <EmptyState
          icon={<MapPin aria-hidden />}
          title={`${card.client.name} is not on the map yet`}
          action={<ButtonLink to={`/clients/${id}`}>To the client</ButtonLink>}
        >
          Set the position of the home there to see directions to it.
        </EmptyState>
      ) : (
        <NotHere
          what="client"
          isGone={isGone}
          icon={<MapPin aria-hidden />}
          action={<ButtonLink to="/clients">All clients</ButtonLink>}
        />
      )}
    </div>
  );
}

/** Back to where one was; to the client where an address has opened the screen with nothing before it. */
function useBackToClient(id: string): () => void {
  const [, navigate] = useLocation();
  const isFirst = useStep() === null;
  return () => (isFirst ? navigate(`/clients/${id}`, { replace: true }) : goBack());
}

interface WayProps {
  card: ClientCard;
  door: Place;
  onBack: () => void;
}

function Way({ card, door, onBack }: WayProps) {
  const { client } = card;
  const units = useReplica((phone): Units => phone.units());
  const area = useReplica((phone) => homeOf(phone.sitter(), []));
  const { here, problem } = useHere();
  const [atDoor, setAtDoor] = useState(false);
  // Who does not know where they are sees the way from where they work, and is told so.
  const from = here?.place ?? (problem ? area?.place : undefined);
  const { way, text, isLooking } = useWay(from, door);
  const line = useMemo(() => way && lineOf(way.geometry), [way]);
  const link = navigateLink(client);

  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[minmax(0,1fr)_auto] overflow-hidden bg-sunken md:grid-cols-[26rem_minmax(0,1fr)] md:grid-rows-1">
      <div className="relative min-h-0 md:order-last">
        <TrackMap
          // Shown anew, so that all of the way is in sight, when there first is one.
          key={line ? "way" : "door"}
          className="absolute inset-0"
          lines={[]}
          gaps={[]}
          events={[]}
          planned={line}
          goal={door}
          here={here}
          units={units}
          covered={[0, 0]}
        />
      </div>
      <section
        aria-label="Directions"
        className="grid max-h-[58dvh] min-h-0 grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] border-line bg-card max-md:rounded-t-[26px] max-md:border-t md:max-h-none md:border-r"
      >
        <Head card={card} onBack={onBack} onDoor={() => setAtDoor(true)} />
        <div
          // It scrolls, and has nothing in it that takes the focus.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="grid min-h-0 content-start gap-3 overflow-y-auto px-5 py-3 -outline-offset-2"
        >
          {problem && (
            <Banner kind="plain" role="status" icon={<TriangleAlert aria-hidden />}>
              {problem}{" "}
              {here
                ? deviceText("These are directions from where this phone was last.")
                : area && `These are directions from ${area.label}.`}
            </Banner>
          )}
          {from && !isLooking && <BlankGround place={way ? undefined : door} />}
          {way && (
            <>
              <p role="status" className="num flex items-baseline gap-3">
                <b className="text-28 font-bold">{length(way.duration * 1000)}</b>
                <span className="text-ink-2">{formatDistance(way.distance, units)} on foot</span>
              </p>
              <Directions route={way} units={units} />
            </>
          )}
          {!way && text && (
            <p role="alert" className="text-pretty text-ink-2">
              {text}
            </p>
          )}
          {!way && !text && !(problem && !area) && <Looking what={from ? "directions" : "your position"} />}
        </div>
        {link && <NavigateLink link={link} />}
      </section>
      {atDoor && <DoorDialog clients={[card]} onClose={() => setAtDoor(false)} />}
    </div>
  );
}

interface HeadProps {
  card: ClientCard;
  onBack: () => void;
  onDoor: () => void;
}

function Head({ card: { client }, onBack, onDoor }: HeadProps) {
  return (
    <header className="flex items-center gap-1 px-2 pt-2 md:pt-[max(1rem,env(safe-area-inset-top))]">
      <IconButton label="Back" onClick={onBack}>
        <ArrowLeft />
      </IconButton>
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-20 font-bold">To {client.name}</h1>
        {client.address && <p className="truncate text-14 text-ink-2">{client.address}</p>}
      </div>
      <IconButton label="Access and care" onClick={onDoor}>
        <KeyRound />
      </IconButton>
    </header>
  );
}

function Looking({ what }: { what: string }) {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Looking for {what}</span>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}

/** To the phone's own navigation. */
function NavigateLink({ link }: { link: string }) {
  return (
    <div className="border-t border-line px-5 pt-3 pb-[max(16px,env(safe-area-inset-bottom))]">
      <a
        href={link}
        {...(isPage(link) && { target: "_blank", rel: "noreferrer" })}
        className={cx(
          "inline-flex min-h-12 w-full items-center justify-center gap-2 rounded-large px-4 font-bold",
          "text-ink shadow-[inset_0_0_0_1px_var(--color-line)] hover:bg-sunken",
        )}
      >
        <Navigation aria-hidden className="size-5" />
        Navigate
      </a>
    </div>
  );
}
