/** Owns which reports belong to a visit: those of walks that began on its day. */
import type { Report, ServiceView } from "../../core";
import { useReplica } from "../../data";

/** A stay has those of all its days; the newest comes first. */
export const useReportsOf = ({ date, end_date }: ServiceView): Report[] =>
  useReplica((phone) =>
    phone.reports().filter(({ started_at, share_id }) => {
      const day = phone.today(Date.parse(started_at));
      return share_id != null && date <= day && day <= (end_date ?? date);
    }),
  );
