/** Owns the words of availability that are no rule: days of the week, what can be booked, how often a blocked time comes. */
import { formatWeekday, plusDays, type Recurrence, type ServiceType } from "../core";

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

/** SPEC 3: a pattern's times are shown to 5 characters. */
export const hoursOf = ({ start_time, end_time }: { start_time: string; end_time: string }): string =>
  `${start_time.slice(0, 5)} - ${end_time.slice(0, 5)}`;
