/** Owns what the profile uses of billing: the section of the plan. */
export { BillingSection } from "./BillingSection";
