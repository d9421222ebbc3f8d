/**
 * The one door to the Rust core: loads the WASM once and passes on its typed functions. It comes in two parts: `FirstPhone`
 * is what of a `Phone` the first has, and nobody gets a whole `Phone` before the other one is there.
 * No rules live on this side of it.
 */
import { fetchedOnce } from "./loading";
import init, {
  fieldReaders,
  type HourCycle,
  type Limits,
  limits as limitsOf,
  privateFields,
  type Reader,
  formatTimeRange as rangeIn,
  formatTime as timeIn,
  type WrittenField,
} from "./pkg/core/walkies_core";

export type { FirstPhone } from "./first";
export { addressId, NO_ID } from "./ids";
export * from "./pkg/core/walkies_core";

let crossed: Limits | undefined;

/** The specification's numbers, which never change: they cross from the core once. */
export const limits = (): Limits => (crossed ??= limitsOf());

let privates: ReadonlySet<string> | undefined;

let readers: ReadonlyMap<WrittenField, Reader> | undefined;

/** Returns who reads a text or a photo beside the person who filled it in. */
export function fieldReader(field: WrittenField): Reader {
  readers ??= new Map(fieldReaders().map((it) => [it.field, it.reader] as const));
  return readers.get(field) ?? "sitter";
}

/** Returns who reads a choice of the forms of clients, pets and services beside the sitter, by its name: `dogs.0.sex`, `lat`. */
export function readerOf(name: string): "client" | "sitter" {
  privates ??= new Set(privateFields());
  return privates.has(name.slice(name.lastIndexOf(".") + 1)) ? "sitter" : "client";
}

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

/** Fetches the rest beside the first part, whose memory it shares and whose table of functions it fills. */
async function fetchRest(): Promise<void> {
  const url = new URL("./pkg/core/walkies_rest_bg.wasm", import.meta.url);
  const [rest, first] = await Promise.all([fetch(url), init()]);
  await WebAssembly.instantiateStreaming(rest, { first: { ...first } });
}

/** Loads the rest of the core, without which no method of `Phone` is called but those of `FirstPhone`. */
export const loadRest = fetchedOnce(fetchRest);

/** The code of a screen that asks for all of the core, which is fetched beside it; what fails there is told by the screen. */
export async function withRest<T>(code: Promise<T>): Promise<T> {
  const rest = loadRest().catch(() => undefined);
  const [it] = await Promise.all([code, rest]);
  return it;
}
