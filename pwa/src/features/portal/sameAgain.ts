/** Owns the addresses of the form that asks for a visit like another one. */
import { useMinute } from "../../browser/clock";
import type { RequestCard, ServiceView } from "../../core";
import { useReplica } from "../../data";

/** True if the same can be asked for again: an offering may not be sold any more. */
export const useCanAskAgain = ({ end_date, offering_id }: ServiceView): boolean =>
  useReplica((phone) => (offering_id ? phone.bookable(undefined).some((it) => it.id === offering_id) : !end_date));

/** The same in place of a visit, on a day that is still to be chosen. */
export const anotherTime = ({ id }: ServiceView): string => `/client/ask?like=${id}`;

/** The same once more, a week later; the days of a stay are chosen anew. */
export const sameAgain = (visit: ServiceView): string => anotherTime(visit) + (visit.end_date ? "" : "&week=next");

/** Label of the link to it. */
export const SAME_AGAIN = "Request the same again";

/**
 * Address at which another time is asked for in place of a declined request, and its label; nothing where there is no such
 * request any more, what was asked for is not sold, or the visit cannot be moved.
 */
export function useAskedAgain({ id, status, subject }: RequestCard): { to: string; label: string } | undefined {
  const now = useMinute();
  return useReplica((phone) => {
    if (status !== "declined") return undefined;
    if (subject?.kind === "move_service") {
      const visit = phone.service(subject.service_id, now);
      const canMove = visit && phone.parentVisit(visit.id, now)?.can_move;
      return canMove ? againAt(`/client/visits/${visit.id}?move`, Boolean(visit.end_date)) : undefined;
    }
    if (subject && subject.kind !== "series") return undefined;
    const request = phone.walkRequest(id);
    if (!request) return undefined;
    const { offering_id, requested_end_date } = request;
    const isSold = offering_id ? phone.bookable(undefined).some((it) => it.id === offering_id) : !requested_end_date;
    return isSold ? againAt(`/client/ask?request=${id}`, Boolean(requested_end_date)) : undefined;
  });
}

const againAt = (to: string, isStay: boolean) => ({
  to,
  label: isStay ? "Request other days" : "Request another time",
});
