/**
 * The one door to the Rust core: loads the WASM once and passes on its typed functions.
 * No rules live on this side of it.
 */
import init, {
  type HourCycle,
  type Limits,
  limits as limitsOf,
  formatTimeRange as rangeIn,
  formatTime as timeIn,
} from "./pkg/core/walkies_core";

export * from "./pkg/core/walkies_core";

let crossed: Limits | undefined;

/** The specification's numbers, which never change: they cross from the core once. */
export const limits = (): Limits => (crossed ??= limitsOf());

let hourCycle: HourCycle = "h12";

/** How times of day are written from now on: the business's setting, of which this tab has one. */
export function setHourCycle(cycle: HourCycle): void {
  hourCycle = cycle;
}

/** `9:30 AM` or `09:30`, from `09:30`. */
export const formatTime = (time: string): string => timeIn(time, hourCycle);

/** `9:30 AM - 10:00 AM`, from `09:30` on. */
export const formatTimeRange = (start: string, minutes: number): string => rangeIn(start, minutes, hourCycle);

let loading: Promise<unknown> | undefined;

/** Loads the core; must be done before any other function of it is called. Later calls wait for the first. */
export function loadCore(): Promise<unknown> {
  loading ??= init().catch((error: unknown) => {
    loading = undefined; // a network that failed once may be back
    throw error;
  });
  return loading;
}
