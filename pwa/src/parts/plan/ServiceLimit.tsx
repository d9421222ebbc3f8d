/** Owns the sign above the schedule that its month is nearly full, or is; the schedule loads it where plans are sold. */
import { LimitBanner } from "./LimitBanner";

const LIMITS = ["services"] as const;

export default function ServiceLimit() {
  return <LimitBanner of={LIMITS} />;
}
