/** Owns what a pet parent sees of a walk: the sitter's shop window. Its words come ready from the server's core. */
import { CloudOff, PawPrint } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { PageEvent, PageMap, ReportPage } from "../../core/walk";
import { TrackMap, WalkEventIcon } from "../../map";
import { Avatar } from "../../ui/Avatar";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { EmptyState } from "../../ui/EmptyState";
import { Photo } from "../../ui/Photo";
import { Skeleton } from "../../ui/Skeleton";

type Loaded = { is: "loading" } | { is: "gone" } | { is: "failed" } | { is: "shown"; page: ReportPage };

export function PublicReport({ shareId }: { shareId: string }) {
  const [loaded, setLoaded] = useState<Loaded>({ is: "loading" });
  const address = `/api/public/reports/${encodeURIComponent(shareId)}`;
  const load = useCallback(() => {
    setLoaded({ is: "loading" });
    void fetchPage(address).then(setLoaded);
  }, [address]);
  useEffect(load, [load]);

  if (loaded.is === "shown") return <Page page={loaded.page} photo={(name) => `${address}/photos/${name}`} />;
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "gone") {
    return (
      <Alone>
        <EmptyState icon={<PawPrint aria-hidden />} title="This report is no longer shared" titleAs="h1">
          The walk or visit itself is not affected. Ask your sitter for a new link if you would like to see it again.
        </EmptyState>
      </Alone>
    );
  }
  return <Failed onRetry={load} />;
}

export function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Alone>
      <EmptyState
        icon={<CloudOff aria-hidden />}
        title="The report could not be loaded"
        titleAs="h1"
        action={<Button onClick={onRetry}>Try Again</Button>}
      >
        Check that you are online.
      </EmptyState>
    </Alone>
  );
}

async function fetchPage(address: string): Promise<Loaded> {
  try {
    // What is fetched to be kept on a phone does not say so: nobody has read it yet.
    const response = await fetch(`${address}?read=1`, { cache: "no-store" });
    if (response.status === 404) return { is: "gone" };
    if (!response.ok) return { is: "failed" };
    const { data } = (await response.json()) as { data: ReportPage };
    return { is: "shown", page: data };
  } catch {
    return { is: "failed" };
  }
}

interface PageProps {
  page: ReportPage;
  /** The URL of a photo by its number, or of the business's own; nothing where it is not here. */
  photo: (name: string | number) => string | undefined;
  /** Above its words. */
  banner?: ReactNode;
}

export function Page({ page, photo, banner }: PageProps) {
  const { business_name, title, map } = page;
  useEffect(() => {
    document.title = `${title} · ${business_name}`;
  }, [title, business_name]);
  return (
    <div
      className={cx(
        "pt-safe mx-auto grid min-h-dvh max-w-150 grid-cols-1 grid-rows-[auto_1fr_auto]",
        map && "lg:max-w-280 lg:grid-rows-[auto_1fr_auto]",
      )}
    >
      <header className="flex items-center gap-3 px-5 py-4">
        <Avatar name={business_name} src={page.has_logo ? photo("logo") : undefined} />
        <p className="line-clamp-2 min-w-0 text-20 font-bold wrap-anywhere">
          <bdi>{business_name}</bdi>
        </p>
      </header>
      <main className={cx("grid grid-cols-1 content-start", map && "lg:grid-cols-2 lg:gap-8 lg:px-5")}>
        {map && <ReportMap map={map} events={page.events} />}
        <div className={cx("grid grid-cols-1 content-start gap-5 px-5 pt-5 pb-8", map && "lg:px-0 lg:pt-0")}>
          {banner}
          <div>
            <p className="text-14 text-ink-2">{page.date}</p>
            <h1 className="text-28 font-bold text-balance wrap-anywhere">{title}</h1>
          </div>
          <Facts page={page} />
          {page.note && (
            <blockquote
              dir="auto"
              className="border-s-4 border-tag ps-4 text-16 whitespace-pre-line text-pretty wrap-anywhere"
            >
              {page.note}
            </blockquote>
          )}
          {page.events.length > 0 && <Events events={page.events} photo={photo} />}
        </div>
      </main>
      <Foot />
    </div>
  );
}

function ReportMap({ map, events }: { map: PageMap; events: PageEvent[] }) {
  const gaps = useMemo(
    () => map.gaps.map(({ from, to }, at) => ({ from: { place: from, at }, to: { place: to, at } })),
    [map],
  );
  const shown = useMemo(
    () =>
      events.map((event, at) => ({
        id: String(at),
        type: event.type,
        timestamp: at,
        location: event.place,
        note: event.text,
      })),
    [events],
  );
  return (
    <section aria-label="Map" className="lg:sticky lg:top-5 lg:h-[calc(100dvh-140px)] lg:max-h-180">
      <TrackMap
        className="relative h-80 border-y border-line md:mx-5 md:rounded-large md:border lg:mx-0 lg:h-full"
        lines={map.lines}
        gaps={gaps}
        events={shown}
        units={map.units}
        isPublic
      />
    </section>
  );
}

function Facts({ page }: { page: ReportPage }) {
  const { n_photos } = page;
  return (
    <div className="grid gap-2">
      <dl className="num grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-2">
        <Fact value={page.duration}>{page.times}</Fact>
        {page.distance && <Fact value={page.distance}>{page.distance_label}</Fact>}
        {n_photos > 0 && <Fact value={String(n_photos)}>{n_photos === 1 ? "photo" : "photos"}</Fact>}
      </dl>
      {page.not_recorded && <p className="num text-14 text-ink-2">{page.not_recorded}</p>}
    </div>
  );
}

function Fact({ value, children }: { value: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end rounded-large border border-line bg-card p-3">
      <dt className="text-12 text-ink-2">{children}</dt>
      <dd className="text-20 font-bold whitespace-nowrap">{value}</dd>
    </div>
  );
}

function Events({ events, photo }: { events: PageEvent[]; photo: PageProps["photo"] }) {
  return (
    <ol className="num ml-4 grid gap-5 border-l-2 border-line pl-7">
      {events.map((event, at) => (
        // They have no names here and never change places.
        <li key={at} className="relative grid gap-3">
          <span
            aria-hidden
            className="absolute -top-1 -left-[45px] grid size-8 place-items-center rounded-full border-2 border-paper bg-tag text-on-tag [&>svg]:size-4"
          >
            <WalkEventIcon kind={event.type} />
          </span>
          <p className="wrap-anywhere">
            <b className="font-bold">{event.time}</b> · <bdi>{event.text}</bdi>
            {event.dogs && <bdi> · {event.dogs}</bdi>}
          </p>
          {event.photo !== null && <EventPhoto src={photo(event.photo)} alt={`Photo of ${event.time}`} />}
        </li>
      ))}
    </ol>
  );
}

function EventPhoto({ src, alt }: { src: string | undefined; alt: string }) {
  if (!src) return null;
  return (
    <a href={src} target="_blank" rel="noreferrer" className="block rounded-large outline-offset-2">
      <Photo src={src} alt={alt} className="aspect-[4/3] w-full" />
    </a>
  );
}

function Foot() {
  return <footer className="pb-safe px-5 py-5 text-center text-12 text-ink-3">Made with Walkies</footer>;
}

/** A page of one sentence. */
function Alone({ children }: { children: ReactNode }) {
  return (
    <div className="pt-safe grid min-h-dvh grid-rows-[1fr_auto]">
      <main className="grid place-content-center">{children}</main>
      <Foot />
    </div>
  );
}

export function Loading() {
  return (
    <main aria-busy className="pt-safe mx-auto grid max-w-150 gap-5 px-5 py-4">
      <span role="status" className="sr-only">
        Loading
      </span>
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full" />
        <Skeleton className="h-5 w-40" />
      </div>
      <Skeleton className="h-80 w-full" />
      <Skeleton className="h-8 w-2/3" />
      <div className="grid grid-cols-3 gap-2">
        <Skeleton className="h-18 w-full" />
        <Skeleton className="h-18 w-full" />
        <Skeleton className="h-18 w-full" />
      </div>
    </main>
  );
}
