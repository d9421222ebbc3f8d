/** Owns the steps from a new account to a calendar that can be used; whether one is taken, the core says of the rows. */
import type { OnboardingStep } from "../../core";

/** Those that are taken on this screen: account and e-mail come before it. */
export type SetupStep = Exclude<OnboardingStep, "account" | "email">;

interface StepWords {
  step: SetupStep;
  title: string;
  sub: string;
}

export const STEPS: readonly StepWords[] = [
  { step: "profile", title: "About you", sub: "Clients want to know who comes." },
  { step: "service_area", title: "Area", sub: "Where you work, and how far you go." },
  {
    step: "documents",
    title: "Documents",
    sub: "Your license or insurance, at hand when somebody asks for it. You can skip this.",
  },
  {
    step: "offerings",
    title: "Services",
    sub: "What you offer, at your price. New clients start with your walk and drop-in prices.",
  },
  { step: "availability", title: "Hours", sub: "When clients can book you." },
];

/** Steps without which clients cannot book; documents may be skipped. */
export const NEEDED = STEPS.filter((it) => it.step !== "documents");

/** Returns how far the set-up has come: `2 of 4 done. Next: Services`. */
export function progressOf(left: readonly OnboardingStep[]): { done: number; of: number; text: string } {
  const [next, ...others] = NEEDED.filter((it) => left.includes(it.step));
  const of = NEEDED.length;
  if (!next) return { done: of, of, text: "All that is needed is done" };
  const done = of - others.length - 1;
  return { done, of, text: `${done} of ${of} done. Next: ${next.title}` };
}

/** Behind the last one. */
export const READY = "ready";

export type SetupPlace = SetupStep | typeof READY;

const PLACES: readonly SetupPlace[] = [...STEPS.map((it) => it.step), READY];

/** The place that an address names. */
export const placeOf = (name: string | null): SetupPlace | undefined => PLACES.find((it) => it === name);

/** Returns the place where somebody goes on who comes back: the first step that is left. */
export const placeToGoOn = (left: readonly OnboardingStep[]): SetupPlace =>
  STEPS.find((it) => left.includes(it.step))?.step ?? READY;

/** The place so many steps on, or back. */
export const placeBeside = (place: SetupPlace, by: 1 | -1): SetupPlace => PLACES[PLACES.indexOf(place) + by] ?? place;
