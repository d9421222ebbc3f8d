/** Owns the words of availability that are no rule: days of the week, what can be booked, how often a blocked time comes. */
import { formatTime, formatWeekday, plusDays, type Recurrence, type ServiceType } from "../core";

/** A Sunday; any would do. */
const SUNDAY = "2023-01-01";

/** SPEC 3: 0 is Sunday, and comes first. */
export const weekdays = (): readonly string[] =>
  Array.from({ length: 7 }, (_, day) => formatWeekday(plusDays(SUNDAY, day)));

export const SERVICES: readonly { value: ServiceType; label: string; plural: string }[] = [
  { value: "walk", label: "Walk", plural: "walks" },
  { value: "dropin", label: "Drop-in", plural: "drop-ins" },
];

export const RECURRENCES: readonly { value: Recurrence; label: string }[] = [
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
  { value: "monthly", label: "Monthly" },
];

/** Says what clients may do on a day on which nobody has set hours. */
export const WITHOUT_HOURS = "On a day with none set, clients can request any time; block it to keep it free.";

/** The same beside such a day. */
export const ANY_TIME = "Clients can request any time";

/** From when to when, as times of day are shown; an empty time stays empty. */
export const hoursOf = ({ start_time, end_time }: { start_time: string; end_time: string }): string =>
  `${shown(start_time)} - ${shown(end_time)}`;

/** SPEC 3: a pattern's times are shown to 5 characters: hours and minutes. */
const shown = (time: string): string => (time === "" ? "" : formatTime(time.slice(0, 5)));
