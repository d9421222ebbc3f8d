/** Owns which times a sitter offers: asked of the server, since a pet parent's phone knows nothing of others' visits. */
import { useEffect, useState } from "react";
import type { ClosedDay, ServiceType, Slot } from "../../core";
import { business } from "../business/openBusiness";
import { type ApiError, call, pathIn } from "../server/api";
import { sessionToken } from "../session/session";
import { whenBack } from "../sync/sync";

/** Parameters of a query for open times. */
export interface SlotQuestion {
  date: string;
  service_type: ServiceType;
  duration_minutes: number;
  /** Id of an own visit that is to be moved, and so is not in the way. */
  except?: string;
}

/** The open starts of a day; neither is there while the server is asked. */
export interface OpenSlots {
  slots?: Slot[];
  /** Why there is none, where the server could be asked. */
  closed?: ClosedDay;
  /** Why they cannot be told. */
  trouble?: ApiError;
}

/** Returns the open times, and a function that asks again; without a network it asks by itself when that is back. */
export function useSlots({ date, service_type, duration_minutes, except }: SlotQuestion): [OpenSlots, () => void] {
  const [found, setFound] = useState<OpenSlots>({});
  const [tries, setTries] = useState(0);
  const again = () => setTries((it) => it + 1);
  useEffect(() => {
    setFound({});
    if (date === "") return undefined;
    const stop = new AbortController();
    const what = `date=${date}&service_type=${service_type}&duration_minutes=${duration_minutes}`;
    const query = except ? `${what}&except=${except}` : what;
    const { place } = business().store;
    const options = { token: sessionToken(), signal: stop.signal };
    let isOffline = false;
    const look = async () => {
      const answer = await call<Slot[]>(pathIn(`/client/slots?${query}`, place), options);
      if (stop.signal.aborted) return;
      isOffline = !answer.ok && answer.error.kind === "offline";
      setFound(answer.ok ? { slots: answer.value } : { trouble: answer.error });
      if (!answer.ok || answer.value.length > 0) return;
      const closed = await call<ClosedDay>(pathIn(`/client/closed-day?${query}`, place), options);
      if (closed.ok && !stop.signal.aborted) setFound({ slots: [], closed: closed.value });
    };
    void look();
    const leave = whenBack(() => isOffline && again());
    return () => {
      leave();
      stop.abort();
    };
  }, [date, service_type, duration_minutes, except, tries]);
  return [found, again];
}
