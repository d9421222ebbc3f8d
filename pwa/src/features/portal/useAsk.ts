/** Owns the state of the open form in which a pet parent asks for visits: fields, price, what is wrong, how it is sent. */
import { useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import {
  addressId,
  type FieldError,
  limits,
  newId,
  type Phone,
  type ScheduleCheck,
  type ServiceView,
  type WalkRequest,
} from "../../core";
import { business, save, useDraft, useRead, useReplica } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { useToday } from "../../parts/dates";
import {
  type AskedTime,
  type AskFields,
  commandOf,
  fieldsAgain,
  fieldsLike,
  fieldsOf,
  inUse,
  sentenceOf,
  weekAfterVisit,
} from "./askFields";
import { ownClientId, useOwnCard, useSitterName } from "./ownClient";
import { tellWhenBooked, tellWhenRequested } from "./tellWhenRequested";

/** Nothing is asked for yet; the only dog goes along. */
const blank = (dogs: readonly { id: string }[]): AskFields => ({
  service_type: "walk",
  duration_minutes: limits().constraints.defaultWalkDuration,
  dog_ids: dogs.length === 1 ? dogs.map((it) => it.id) : [],
  times: [{ date: "", start_time: "" }],
  message: "",
});

/** The visit that the address names, which is asked for again, and its new day; empty where that is to be chosen. */
function useLike(): { visit: ServiceView; date: string } | undefined {
  const [query] = useSearchParams();
  const id = addressId(query.get("like"));
  const now = useMinute();
  const today = useToday();
  const visit = useReplica((phone) => (id ? phone.service(id, now) : undefined));
  return visit && { visit, date: query.get("week") === "next" ? weekAfterVisit(visit.date, today) : "" };
}

/** The declined request that the address names, in place of which another time is asked for. */
function useDeclined(): WalkRequest | undefined {
  const [query] = useSearchParams();
  const id = addressId(query.get("request"));
  return useReplica((phone) => (id ? phone.walkRequest(id) : undefined));
}

export type OpenAsk = ReturnType<typeof useAsk>;

export function useAsk(onSent: () => void) {
  const { fix } = useFix("ask_for_service");
  const pets = useOwnCard()?.dogs ?? [];
  const like = useLike();
  const declined = useDeclined();
  const sitter = useSitterName();
  const offerings = useReplica((phone) => phone.bookable(undefined));
  const key = fix
    ? `ask:fix:${fix.id}`
    : like
      ? `ask:like:${like.visit.id}${like.date}`
      : declined
        ? `ask:again:${declined.id}`
        : "ask";
  const [first] = useState(() => {
    if (fix) return fieldsOf(fix.command.args, offerings, blank(pets));
    if (like) return fieldsLike(like.visit, like.date, pets, offerings, blank(pets));
    return declined ? fieldsAgain(declined, pets, offerings, blank(pets)) : blank(pets);
  });
  const draft = useDraft<AskFields>(key, first);
  const kept = inUse(draft.value);
  const fitting = useReplica((phone) => phone.fittingPets(ownClientId(), kept.service_type, kept.offering?.id));
  const dogs = pets.filter((it) => fitting.includes(it.id));
  // Those that do not fit stay in the draft, for the choice of something else.
  const fields = { ...kept, dog_ids: kept.dog_ids.filter((it) => fitting.includes(it)) };
  const refused = fix?.refusal?.code === "invalid" ? fix.refusal.fields : [];
  const [errors, setErrors] = useState<FieldError[]>(refused.map((it) => ofTime(it, 0)));
  const [problem, setProblem] = useState<string>();
  const check = usePrice(fields);

  const bookedCount = useReplica(
    (phone) => fields.times.filter((time) => phone.booksAtOnce(commandOf(fields, time, check.price, null))).length,
  );

  const changeTime = (place: number, time: Partial<AskedTime>) =>
    draft.set({ times: draft.value.times.map((it, at) => (at === place ? { ...it, ...time } : it)) });

  // By the place of the time: the starts that are open on its day, where that is known.
  const openStarts = useRef(new Map<number, readonly string[]>());

  const send = async () => {
    setProblem(undefined);
    const isOpen = ({ start_time, is_wish }: AskedTime, place: number) =>
      // Of a series, a stay and a wish the sitter decides on each day.
      fields.repeats || fields.offering?.is_stay || is_wish
        ? true
        : (openStarts.current.get(place)?.includes(start_time) ?? true);
    const times = fields.times.map((it, place) => (isOpen(it, place) ? it : { ...it, start_time: "" }));
    const wrong = wrongIn(await business().wholePhone(), { ...fields, times });
    setErrors(wrong);
    if (wrong.length > 0) return;
    // One after the other, and what is saved leaves the form: where one is turned down, the rest stays for another try.
    const sent: string[] = [];
    const inOrder = fields.times.toSorted((a, b) => timeKey(a).localeCompare(timeKey(b)));
    const group = fix ? fix.command.args.group_id : inOrder.length > 1 ? newId() : undefined;
    for (const [at, time] of inOrder.entries()) {
      const isLast = at === inOrder.length - 1;
      const command = commandOf(fields, time, check.price, group);
      sent.push(command.args.id);
      const result = await save(command, sentenceOf(fields, time), {
        ...(isLast && { draft: key }),
        ...(at === 0 && fix && { resolves: fix.id }),
      });
      if (result.ok) {
        if (isLast && bookedCount > 0) tellWhenBooked(result.id, sent, sitter);
        else if (isLast) tellWhenRequested(result.id, inOrder.length, sitter);
        continue;
      }
      const kept = draft.value.times.filter((it) => !fields.times.includes(it));
      draft.set({ times: [...inOrder.slice(at), ...kept] });
      setErrors(result.fields.map((it) => ofTime(it, 0)));
      setProblem(result.fields.length > 0 ? undefined : result.text);
      return;
    }
    onSent();
  };
  return {
    draft,
    fields,
    dogs,
    /** The type of service that it is booked as, by which times are offered. */
    kind: offerings.find((it) => it.id === kept.offering?.id)?.service_type ?? kept.service_type,
    hasOthers: dogs.length < pets.length,
    offerings,
    errors,
    problem,
    check,
    isFix: fix !== undefined,
    /** True if the server books all of it without asking the sitter, where that is possible once it has it. */
    books: bookedCount === fields.times.length,
    /** The same of some of it; for the rest the sitter is asked. */
    booksSome: bookedCount > 0,
    openStarts,
    changeTime,
    send,
  };
}

const timeKey = ({ date, start_time }: AskedTime): string => date + start_time;

/** Names in a request of the fields that a service has, too. */
const NAMES: Record<string, string> = {
  date: "requested_date",
  start_time: "requested_start_time",
  duration_minutes: "requested_duration_minutes",
  end_date: "requested_end_date",
  departure_time: "requested_departure_time",
  notes: "message",
};

/** Returns the name of the input for a field of the time at that place. */
export const timeField = (name: keyof AskedTime, place: number): string => `times.${place}.${NAMES[name]}`;

/** Returns an error of the request for the time at that place, at the input that it is about. */
export function ofTime({ field, text }: FieldError, place: number): FieldError {
  const name = NAMES[field] ?? field;
  return { field: name === NAMES.date || name === NAMES.start_time ? `times.${place}.${name}` : name, text };
}

/** All that the core has against any of the visits, each fault once, before the first of them is saved. */
function wrongIn(phone: Phone, fields: AskFields): FieldError[] {
  const found = fields.times.flatMap((time, place) =>
    checkOf(phone, fields, Date.now(), time).errors.map((it) => ofTime(it, place)),
  );
  return found.filter((it, at) => found.findIndex(({ field }) => field === it.field) === at);
}

/** Runs the core's check on a visit as it is asked for: what is wrong, what it costs. */
function checkOf(
  phone: Phone,
  fields: Omit<AskFields, "times" | "repeats">,
  now: number,
  time?: AskedTime,
): ScheduleCheck {
  const { service_type, duration_minutes, offering, end_date, departure_time, dog_ids, message } = fields;
  const service = {
    client_id: ownClientId(),
    service_type,
    duration_minutes,
    dog_ids,
    notes: message,
    ...(offering && { offering_id: offering.id }),
    ...(offering?.is_stay && end_date && { end_date }),
    ...(offering?.is_stay && departure_time && { departure_time }),
    ...(time?.date && { date: time.date }),
    ...(time?.start_time && { start_time: time.start_time }),
  };
  return phone.checkSchedule({ service_id: null, service }, now);
}

/** Returns the price of one visit, whose rates are the same on every day, or of the stay. */
function usePrice(fields: AskFields): ScheduleCheck {
  const now = useMinute();
  const { service_type, duration_minutes, offering, end_date, departure_time, dog_ids, times } = fields;
  const asked = { service_type, duration_minutes, offering, end_date, departure_time, dog_ids, message: "" };
  const time = offering?.is_stay ? times[0] : undefined;
  return useRead((phone) => checkOf(phone, asked, now, time), JSON.stringify([asked, time]), now);
}
