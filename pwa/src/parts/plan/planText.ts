/** Owns what is said of a plan that is offered. */
import type { PlanOffer } from "../../core";

/** Returns the price of a plan in words, with $0 for a free one. */
export function priceOf({ price, stripe_price_id }: PlanOffer): string {
  if (price) return price.words;
  return stripe_price_id === null ? "$0" : "Price not known right now";
}

/** Returns a line for each amount that a plan has room for. */
export const linesOf = ({ clients, dogs, services_a_month }: PlanOffer): string[] => [
  amount(clients, "clients"),
  amount(dogs, "dogs"),
  amount(services_a_month, "services", " a month"),
];

/** Below zero there is no limit. */
const amount = (limit: number, of: string, every = ""): string =>
  limit < 0 ? `Unlimited ${of}` : `${limit} ${of}${every}`;
