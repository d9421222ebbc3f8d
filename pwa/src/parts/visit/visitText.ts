/** Owns how the schedule names a service in a sentence; times, dates and lists of names are the core's. */
import {
  formatDate,
  formatTime,
  type Lateness,
  type Service,
  type ServiceStatus,
  type ServiceView,
  setApart,
} from "../../core";

/** Describes a change for the list of what waits: `Cancel: Walk for Biscuit, 30 min, Nov 20, 2026, 9:30 AM`. */
export const sentence = (does: string, view: ServiceView): string =>
  `${does}: ${view.summary}, ${formatDate(view.date)}, ${formatTime(view.start_time)}`;

/** `Biscuit & Rex`: the name by which a sitter knows a visit. */
export const dogNames = (service: Pick<Service, "dogs">): string => service.dogs.map(setApart).join(" & ");

/** A service's state on a screen: `overdue` is derived by the core and never stored. */
export type ShownStatus = ServiceStatus | "overdue";

type Late = Pick<ServiceView, "lateness">;

export const shownStatus = ({ status, lateness }: Pick<ServiceView, "status"> & Late): ShownStatus =>
  lateness && lateness !== "started_late" ? "overdue" : status;

const LATE_WORDS: Record<Lateness, string> = {
  started_late: "Started late",
  not_started: "Start not recorded",
  not_completed: "Not completed",
};

/** The way in which a service is behind its plan; nothing for one that is in time. */
export const lateWord = ({ lateness }: Late): string | undefined => (lateness ? LATE_WORDS[lateness] : undefined);

export const statusWord: Record<ShownStatus, string> = {
  scheduled: "Scheduled",
  completed: "Completed",
  cancelled: "Cancelled",
  overdue: "Overdue",
};

/** `1 visit`, `3 visits`. */
export const countVisits = (count: number): string => (count === 1 ? "1 visit" : `${count} visits`);
