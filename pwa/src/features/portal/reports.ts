/** Owns which reports a visit shows, and that the newest can be read without a network. */
import { useEffect } from "react";
import { whenIdle } from "../../browser/idle";
import type { Report, ServiceView } from "../../core";
import { business, useReplica } from "../../data";
import { keepReports } from "../../data/portal/keptReports";
import { useSync } from "../../data/sync/sync";

/** The newest walk's comes first. */
export const useReportsOf = ({ id }: ServiceView): Report[] => useReplica((phone) => phone.reportsOf(id));

/** Keeps those of the sitter who is shown, as they come. */
export function useReportsAhead(): void {
  const shared = useReplica((phone) => phone.reports().map((it) => it.share_id)).join();
  const online = useSync((it) => it.online);
  // oxlint-disable-next-line react/exhaustive-deps -- what is shared says when to look, and is read from the replica
  useEffect(() => {
    const stop = new AbortController();
    const of = business();
    // What cannot be had or kept now, as on a full phone, is at another start.
    const callOff = whenIdle(() => void (online && keepReports(of, stop.signal).catch(() => undefined)));
    return () => {
      callOff();
      stop.abort();
    };
  }, [shared, online]);
}
