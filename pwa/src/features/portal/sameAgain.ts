/** Owns the addresses of the form that asks for a visit like another one. */
import type { ServiceView } from "../../core";

/** The days of a stay are chosen anew, and an offering may not be sold any more. */
export const canAskAgain = ({ end_date, offering_id }: ServiceView): boolean => !end_date && !offering_id;

/** At the same time on a day that is still to be chosen. */
export const sameAgain = ({ id }: ServiceView): string => `/client/ask?like=${id}`;

/** On the same day of the next week that is to come. */
export const sameNextWeek = (visit: ServiceView): string => `${sameAgain(visit)}&week=next`;
