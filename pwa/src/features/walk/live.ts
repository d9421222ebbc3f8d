/** Owns sending events of a walk or visit before its report: at once where the sitter has said so, and what is taken back. */
import { type LiveEvent, type LiveRecipient, newId, type Phone, type SendLive } from "../../core";
import type { WalkEvent, WalkEventKind } from "../../core/walk";
import { business, type SaveResult, type StoredPhoto, save } from "../../data";
import { getWalkPhoto } from "../../data/walks/walkLog";
import { servicesOf, type WalkRow } from "../../data/walks/walks";
import { toast } from "../../ui";
import { eventName } from "./events";
import * as tracker from "./tracker";

/** The event as it is sent. */
const sentAs = ({ id, type, timestamp, note }: WalkEvent, photo?: string): LiveEvent => ({
  id,
  kind: type,
  at: new Date(timestamp).toISOString(),
  note,
  ...(photo && { photo }),
});

/** Returns the clients to whom an event of this walk may be sent, and how each sees it by now. */
export const recipientsOf = (phone: Phone, row: WalkRow, event: WalkEvent): LiveRecipient[] =>
  phone.liveRecipients([...servicesOf(row)], row.dog_ids ?? [], sentAs(event), event.dog_ids ?? []);

/** Sends an event that was just noted to those who are to see it without a further act. */
export async function sendAtOnce(id: string): Promise<void> {
  try {
    const { event, recipients } = await find(id);
    if (event) for (const it of recipients) if (it.is_sent_at_once) await sendLive(it, event);
  } catch {
    toast.error("This is noted. It could not be sent to the client.");
  }
}

/** Says more exactly what an event was, also to those who see it already. */
export async function tellExactly(event: WalkEvent, kind: WalkEventKind): Promise<void> {
  await tracker.tellExactly(event, kind);
  const { event: now, recipients } = await find(event.id);
  if (now) for (const it of recipients) if (it.sent) await sendLive(it, now);
}

/** Removes an event from the walk, and from what clients see. */
export async function removeEvent(id: string): Promise<void> {
  const { recipients } = await find(id);
  await tracker.removeEvent(id);
  for (const it of recipients) if (it.sent) await takeBack(it);
}

async function find(id: string): Promise<{ event?: WalkEvent; recipients: LiveRecipient[] }> {
  const tracked = tracker.trackedWalk();
  const event = tracked?.walk.events.find((it) => it.id === id);
  if (!tracked || !event) return { recipients: [] };
  return { event, recipients: recipientsOf(await business().wholePhone(), tracked.row, event) };
}

/** Sends an event to a client. `resolves`: the entry of Needs attention about a photo of it that was turned down. */
export async function sendLive(
  { service_id, name, sent }: LiveRecipient,
  event: WalkEvent,
  resolves?: string,
): Promise<void> {
  const photos: StoredPhoto[] = [];
  let photo = sent?.photo;
  const full = event.type === "photo" && !photo ? await getWalkPhoto(event.id).catch(() => undefined) : undefined;
  if (full) {
    photo = newId();
    photos.push({ id: photo, full, waiting: true, stored_at: Date.now() });
  }
  const args: SendLive = { id: service_id, events: [sentAs(event, photo)] };
  await saveOrTell(
    save({ name: "send_live", args }, `Send to ${name}: ${eventName(event.type)}`, { photos, resolves }),
  );
}

/** Takes back what a client sees of an event. */
export async function takeBack({ service_id, name, sent }: LiveRecipient): Promise<void> {
  if (!sent) return;
  const args: SendLive = { id: service_id, taken_back: [sent.id] };
  await saveOrTell(save({ name: "send_live", args }, `Take back from ${name}: ${eventName(sent.kind)}`));
}

/** Returns what clients see of these events of a walk before its report, by service. */
export function sentOf(row: WalkRow, events: readonly WalkEvent[]): SendLive[] {
  const seen = (id: string) => (business().phone.service(id)?.live ?? []).map((it) => it.id);
  return servicesOf(row)
    .map((id) => ({ id, taken_back: seen(id).filter((event) => events.some((it) => it.id === event)) }))
    .filter((it) => it.taken_back.length > 0);
}

/** Takes back all that clients see of these events. */
export async function takeBackAll(row: WalkRow, events: readonly WalkEvent[]): Promise<void> {
  for (const args of sentOf(row, events)) {
    await saveOrTell(save({ name: "send_live", args }, `Take back what was sent of ${row.title}`));
  }
}

async function saveOrTell(saving: Promise<SaveResult>): Promise<void> {
  try {
    const result = await saving;
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error("This could not be saved");
  }
}
