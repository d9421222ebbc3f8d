/** Owns a report while it is written: what of a walk goes to which client, its draft, and its way into the outbox. */
import { type ClientCard, newId, type Place } from "../../core";
import {
  type Audience,
  type ProposedReport,
  proposedReport,
  reportAudience,
  reportShowsMap,
  type WalkEvent,
} from "../../core/walk";
import { business, type StoredPhoto, save, useDraft, useReplica } from "../../data";
import { getWalkPhoto } from "../../data/walks/walkLog";
import { kindOf, type ReportChoice, servicesOf, useWalks, type WalkRow } from "../../data/walks/walks";
import { names } from "../../parts/walk/walkText";
import type { FormProblem } from "../../ui";
import { withGoneDogs } from "./along";
import type { RecordedWalk } from "./recording";

export interface ReportDraft {
  /** False until the disk was asked for what was typed before. */
  ready: boolean;
  value: ReportChoice;
  set: (change: Partial<ReportChoice>) => void;
  /** The clients that it is for, with those of their dogs that were along. */
  along: ClientCard[];
  showMap: boolean;
  showHomes: boolean;
  /** The choices of the last walk with the same clients. */
  proposed: ProposedReport;
  /** Who may see an event, and who does. */
  audience: (event: WalkEvent) => Audience;
  /**
   * Saves it to be sent; what is wrong with it, where it is not saved. `resolves`: the refused one that it replaces;
   * `notes`: the words for each client, by its id, where they are not those of `value`.
   */
  send: (resolves?: string, notes?: Record<string, string>) => Promise<FormProblem | undefined>;
}

/** `chosen`: what was shared the last time. */
export function useReport(row: WalkRow, { recording, walk }: RecordedWalk, chosen?: ReportChoice): ReportDraft {
  const clients = useReplica((phone) => phone.clients(""));
  const service = useReplica((phone) => (row.service_id ? phone.service(row.service_id) : undefined));
  const key = `report-${row.id}`;
  const first = { dog_ids: row.dog_ids ?? service?.dog_ids ?? [], show_map: null, notes: {}, events: {} };
  const { value, set, ready } = useDraft<ReportChoice>(key, chosen ?? first);

  const along = clients
    .map(withGoneDogs)
    .map((it) => ({ ...it, dogs: it.dogs.filter((dog) => value.dog_ids.includes(dog.id)) }))
    .filter((it) => it.dogs.length > 0);
  const owners = along.map(({ client, dogs }) => ({ client_id: client.id, dog_ids: dogs.map((it) => it.id) }));
  const proposed = useProposed(row, along);
  const showMap = value.show_map ?? proposed.show_map ?? reportShowsMap(kindOf(row), along.length);
  const showHomes = value.show_homes ?? false;
  const homes = along.map(({ client: { lat, lng } }) => (lat === null || lng === null ? undefined : placeAt(lat, lng)));
  const audience = (event: WalkEvent): Audience => {
    const { may, shown } = reportAudience(event, owners);
    return { may, shown: value.events[event.id]?.filter((id) => may.includes(id)) ?? shown };
  };

  const send = async (resolves?: string, notes = value.notes): Promise<FormProblem | undefined> => {
    const photos: StoredPhoto[] = [];
    // What was sent before the report is with the server already, or on its way to it.
    const live = servicesOf(row).flatMap((id) => business().phone.service(id)?.live ?? []);
    const events = await Promise.all(
      walk.events.map(async (event) => {
        const client_ids = audience(event).shown;
        const sent = live.find((it) => it.id === event.id)?.photo;
        if (sent && client_ids.length > 0) return { id: event.id, photo: sent, client_ids };
        const blob = event.type === "photo" && client_ids.length > 0 ? await getWalkPhoto(event.id) : undefined;
        if (!blob) return { id: event.id, photo: null, client_ids };
        const photo = { id: newId(), full: blob, waiting: true, stored_at: Date.now() };
        photos.push(photo);
        return { id: event.id, photo: photo.id, client_ids };
      }),
    );
    const known = business().phone.reports(row.id);
    const result = await save(
      {
        name: "share_walk",
        args: {
          id: row.id,
          kind: kindOf(row),
          walk: recording.shared({
            show_map: showMap,
            show_homes: showHomes,
            homes: homes.filter((it) => it !== undefined),
            has_unknown_home: homes.includes(undefined),
            events,
          }),
          reports: along.map(({ client, dogs }) => ({
            id: known.find((it) => it.client_id === client.id)?.id ?? newId(),
            client_id: client.id,
            dog_ids: dogs.map((it) => it.id),
            note: notes[client.id] ?? "",
            service_ids: servicesOf(row).filter((id) => business().phone.service(id)?.client_id === client.id),
          })),
        },
      },
      `Share the ${kindOf(row)} with ${names(along.flatMap((it) => it.dogs.map((dog) => dog.name)))}`,
      { draft: key, photos, resolves },
    );
    return result.ok ? undefined : result;
  };

  return { ready, value, set, along, showMap, showHomes, proposed, audience, send };
}

/**
 * Proposes what was chosen for these clients before, as far as the walks on this phone tell: a report where the last walk or
 * visit had one, a map as for the last one of its kind.
 */
function useProposed(row: WalkRow, along: readonly ClientCard[]): ProposedReport {
  const walks = useWalks() ?? [];
  const cards = useReplica((phone) => phone.clients(""));
  const ownerOf = new Map(cards.flatMap((it) => it.dogs.map((dog) => [dog.id, it.client.id] as const)));
  const earlier = walks
    .filter((it) => it.id !== row.id && it.summary && !it.imported)
    .map((it) => ({
      kind: kindOf(it),
      client_ids: (it.report?.dog_ids ?? it.dog_ids ?? []).flatMap((id) => ownerOf.get(id) ?? []),
      is_shared: it.report !== undefined && !it.report.taken_back,
      show_map: it.report?.show_map ?? null,
    }));
  const ids = along.map((it) => it.client.id);
  const { is_shared } = proposedReport(ids, earlier);
  const ofKind = earlier.filter((it) => it.kind === kindOf(row));
  return { is_shared, show_map: proposedReport(ids, ofKind).show_map };
}

const placeAt = (lat: number, lng: number): Place => ({ lat_e7: Math.round(lat * 1e7), lon_e7: Math.round(lng * 1e7) });
