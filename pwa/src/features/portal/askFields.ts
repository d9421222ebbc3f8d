/** Owns what stands in the form in which a pet parent asks for visits, and the commands that it becomes: one for each time. */
import { type AskForService, type Command, formatDate, formatTime, newId, type WalkRequest } from "../../core";

/** A start that is asked for; empty while it is chosen. */
export interface AskedTime {
  date: string;
  start_time: string;
}

export interface AskFields {
  service_type: WalkRequest["service_type"];
  duration_minutes: number;
  dog_ids: string[];
  times: AskedTime[];
  message: string;
}

/** More at once are a contract and no request. */
export const MOST_TIMES = 14;

export const KINDS: { value: WalkRequest["service_type"]; label: string }[] = [
  { value: "walk", label: "Walk" },
  { value: "dropin", label: "Drop-in" },
];

const nameOf = (type: WalkRequest["service_type"]): string => (type === "walk" ? "walk" : "drop-in");

/** The form as it was when a request was turned down. */
export function fieldsOf({ request }: AskForService, otherwise: AskFields): AskFields {
  return {
    service_type: request.service_type ?? otherwise.service_type,
    duration_minutes: request.requested_duration_minutes ?? otherwise.duration_minutes,
    dog_ids: request.dog_ids ?? otherwise.dog_ids,
    times: [{ date: request.requested_date ?? "", start_time: request.requested_start_time ?? "" }],
    message: request.message ?? "",
  };
}

export const commandOf = (fields: AskFields, { date, start_time }: AskedTime, price: number | null): Command => ({
  name: "ask_for_service",
  args: {
    id: newId(),
    request: {
      requested_date: date,
      requested_start_time: start_time,
      requested_duration_minutes: fields.duration_minutes,
      service_type: fields.service_type,
      dog_ids: fields.dog_ids,
      message: fields.message,
    },
    quoted_price: price,
  },
});

/** For the list of what waits. */
export const sentenceOf = ({ service_type }: AskFields, { date, start_time }: AskedTime): string =>
  `Ask for a ${nameOf(service_type)} on ${formatDate(date)}, ${formatTime(start_time)}`;
