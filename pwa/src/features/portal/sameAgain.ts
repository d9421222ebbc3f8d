/** Owns the addresses of the form that asks for a visit like another one. */
import type { ServiceView } from "../../core";
import { useReplica } from "../../data";

/** True if the same can be asked for again: an offering may not be sold any more. */
export const useCanAskAgain = ({ end_date, offering_id }: ServiceView): boolean =>
  useReplica((phone) => (offering_id ? phone.bookable(undefined).some((it) => it.id === offering_id) : !end_date));

/** At the same time on a day that is still to be chosen. */
export const sameAgain = ({ id }: ServiceView): string => `/client/ask?like=${id}`;

/** On the same day of the next week that is to come. */
export const sameNextWeek = (visit: ServiceView): string => `${sameAgain(visit)}&week=next`;
