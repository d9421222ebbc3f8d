/** Owns what stands in the form of a service: what a person touched, over what the service is or a new one begins with. */
import { useMemo, useState } from "react";
import { type Bookable, limits, plusDays, type Service } from "../../../core";
import { business, type Draft, useDraft, useRead } from "../../../data";
import type { Prefill } from "../scheduleState";
import { repeatsAs } from "../series/repeats";
import { type FormFields, given, type ServiceFields, type ServiceFix } from "./fields";

interface Touched {
  draft: Draft<Partial<FormFields>>;
  /** Fields that a person has chosen or typed, and nothing else. */
  touched: Partial<FormFields>;
  set: (change: Partial<FormFields>) => void;
}

/** `key` is the draft's. */
export function useTouched(
  key: string,
  prefill: Prefill | undefined,
  fix: ServiceFix | undefined,
  today: string,
): Touched {
  // The draft holds what was touched and no more: what others change meanwhile shows through everywhere else.
  const draft = useDraft<Partial<FormFields>>(
    key,
    fix ? { ...given(fix.fields), ...(fix.repeats && { repeats: fix.repeats }) } : {},
  );
  // A place that was just pointed at in the calendar counts more than words from an earlier time.
  const [pointed, setPointed] = useState<Partial<FormFields>>(() => ({
    ...(prefill?.date && { date: prefill.date }),
    ...(prefill?.start_time && { start_time: prefill.start_time }),
    ...(prefill?.duration_minutes && { duration_minutes: prefill.duration_minutes }),
    ...(prefill?.client_id && business().phone.client(prefill.client_id) && { client_id: prefill.client_id }),
    ...(prefill?.every !== undefined && { repeats: repeatsAs(prefill.every, prefill.date ?? today) }),
  }));
  // The pets of an earlier draft are another client's.
  const isOther = pointed.client_id !== undefined && pointed.client_id !== draft.value.client_id;
  const shown: Partial<FormFields> = isOther ? { ...pointed, dog_ids: undefined } : pointed;
  const set = (change: Partial<FormFields>) => {
    const rest = { ...shown };
    for (const field of Object.keys(change) as (keyof FormFields)[]) delete rest[field];
    // What was pointed at is a choice like any other as soon as something else is chosen with it.
    setPointed({});
    draft.set({ ...rest, ...change });
  };
  return { draft, touched: { ...draft.value, ...shown }, set };
}

/** All fields as they are shown, and what of them is to be saved. `service` is the one that is changed. */
export function useFields(
  service: Service | undefined,
  touched: Partial<ServiceFields>,
  chosen: FormFields["repeats"],
  today: string,
) {
  const bookable = useRead((phone) => phone.bookable(service?.offering_id ?? undefined), service?.offering_id);
  // A day that was emptied is none to propose a start for.
  const date = touched.date || service?.date || today;
  const [openedAt] = useState(Date.now);
  // Proposed once for a day, so that what comes in meanwhile moves nothing under one's hand.
  const start_time = useMemo(() => business().phone.proposedStart(date, openedAt), [date, openedAt]);

  const base: ServiceFields = {
    ...blank(today, start_time),
    ...service,
    notes: service?.notes ?? "",
    internal_notes: service?.internal_notes ?? "",
  };
  const client_id = touched.client_id ?? base.client_id;
  const client = useRead((phone) => (client_id ? phone.client(client_id) : undefined), client_id);
  // Nobody wants to tick the only pet there is.
  const onlyPet = client?.dogs.length === 1 ? client.dogs[0] : undefined;
  const isOther = client_id !== base.client_id;
  const dog_ids = touched.dog_ids ?? (isOther ? (onlyPet ? [onlyPet.id] : []) : base.dog_ids);
  // Removed since, perhaps on another phone: they are to be seen and to be left out.
  const goneDogs = dog_ids
    .filter((id) => client && !client.dogs.some((it) => it.id === id))
    .map((id) => ({ id, name: service?.dogs[service.dog_ids.indexOf(id)] ?? "A pet" }));
  const shown: ServiceFields = { ...base, ...touched, client_id, dog_ids };
  const patch: Partial<ServiceFields> = service ? { ...given(touched), ...(isOther && { dog_ids }) } : shown;
  // The form's own first proposal is nobody's choice yet: no alarm about that.
  const isPlaced = client_id !== "" || shown.date !== base.date || shown.start_time !== base.start_time;
  const booked = bookable.find((it) => it.id === shown.offering_id);
  // A stay lasts for days and does not repeat; who books something else again finds what was chosen.
  const repeats = service || booked?.is_stay ? null : chosen;
  return { repeats, shown, patch, client, goneDogs, bookable, booked, isPlaced };
}

const blank = (date: string, start_time: string): ServiceFields => ({
  client_id: "",
  dog_ids: [],
  service_type: "walk",
  date,
  start_time,
  duration_minutes: limits().constraints.defaultWalkDuration,
  offering_id: null,
  end_date: null,
  departure_time: null,
  window_from: null,
  window_to: null,
  price_override: null,
  notes: "",
  internal_notes: "",
});

/** How long a kind or an offering takes where nobody has said otherwise. */
function usualMinutes(kind: ServiceFields["service_type"], offering: Bookable | undefined): number {
  const { defaultWalkDuration, defaultDropinDuration } = limits().constraints;
  return offering?.duration_minutes ?? (kind === "walk" ? defaultWalkDuration : defaultDropinDuration);
}

/**
 * Returns the fields that change with another kind or offering; the duration of a new service changes, too, until it is
 * touched.
 */
export function changesOfBooking(
  { shown, booked, isNew }: { shown: ServiceFields; booked: Bookable | undefined; isNew: boolean },
  service_type: ServiceFields["service_type"],
  offering: Bookable | undefined,
): Partial<ServiceFields> {
  const isUntouched = shown.duration_minutes === usualMinutes(shown.service_type, booked);
  return {
    service_type,
    offering_id: offering?.id ?? null,
    end_date: offering?.is_stay ? (shown.end_date ?? plusDays(shown.date, 1)) : null,
    departure_time: offering?.is_stay ? (shown.departure_time ?? null) : null,
    ...(isUntouched && isNew && { duration_minutes: usualMinutes(service_type, offering) }),
  };
}
