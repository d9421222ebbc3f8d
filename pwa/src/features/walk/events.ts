/** Owns what events of a walk are called. Apart from other words, since only screens of walks have the core that knows. */
import { type WalkEvent, type WalkEventKind, walkTexts } from "../../core/walk";
import { clock, type DogAlong, names } from "../../parts/walk/walkText";

/** `Potty`; empty for a kind that this version does not know. */
export const eventName = (kind: WalkEventKind): string => walkTexts().events.find((it) => it.kind === kind)?.name ?? "";

/** `Potty · Rex`: what happened, and of which dogs where it is not of all of them. */
export function eventText(event: WalkEvent, dogs: readonly DogAlong[]): string {
  const said = event.note || eventName(event.type);
  const text = event.over_at ? `${said}, called off ${clock(event.over_at)}` : said;
  const of = dogs.filter((it) => event.dog_ids?.includes(it.id));
  return of.length > 0 && of.length < dogs.length ? `${text} · ${names(of.map((it) => it.name))}` : text;
}
