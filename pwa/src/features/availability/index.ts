/** Owns how the schedule opens availability: it loads with the rest of the core when it is first shown. */
import { withRest } from "../../core";
import { loadable } from "../../ui";

export const AvailabilityView = loadable(() => withRest(import("./AvailabilityView")));
