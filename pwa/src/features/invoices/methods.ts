/** Owns what the ways of paying are called. */
import type { PaymentMethod } from "../../core";

/** Payment methods that a person can choose. */
export const METHODS: readonly { value: PaymentMethod; label: string }[] = [
  { value: "cash", label: "Cash" },
  { value: "transfer", label: "Transfer" },
  { value: "card", label: "Card" },
  { value: "app", label: "Payment app" },
];

/** `Cash`; nothing where nobody has said. */
export const methodName = (method: PaymentMethod): string =>
  method === "credit" ? "Credit note" : (METHODS.find((it) => it.value === method)?.label ?? "");
