/** Owns what is said of a plan that is offered. */
import type { PlanOffer } from "../../core";

/** What it costs, or that nothing does. */
export function priceOf({ price, stripe_price_id }: PlanOffer): string {
  if (price) return price.words;
  return stripe_price_id === null ? "$0" : "Price not known right now";
}

/** What there is room for. */
export const linesOf = ({ clients, dogs, services_a_month }: PlanOffer): string[] => [
  amount(clients, "clients"),
  amount(dogs, "dogs"),
  amount(services_a_month, "services", " a month"),
];

/** Below zero there is no limit. */
const amount = (limit: number, of: string, every = ""): string =>
  limit < 0 ? `Unlimited ${of}` : `${limit} ${of}${every}`;
