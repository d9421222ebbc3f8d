/** Owns which times a sitter offers: asked of the server, since a pet parent's phone knows nothing of others' visits. */
import { useEffect, useState } from "react";
import type { ServiceType, Slot } from "../../core";
import { business } from "../business/openBusiness";
import { call, pathIn } from "../server/api";
import { sessionToken } from "../session/session";

/** What is asked for. */
export interface SlotQuestion {
  date: string;
  service_type: ServiceType;
  duration_minutes: number;
}

/** The open starts of a day; `undefined` while the server is asked, and `null` where it cannot be. */
export function useSlots({ date, service_type, duration_minutes }: SlotQuestion): Slot[] | null | undefined {
  const [slots, setSlots] = useState<Slot[] | null>();
  useEffect(() => {
    setSlots(undefined);
    if (date === "") return undefined;
    const stop = new AbortController();
    const query = `date=${date}&service_type=${service_type}&duration_minutes=${duration_minutes}`;
    const path = pathIn(`/client/slots?${query}`, business().store.place);
    void call<Slot[]>(path, { token: sessionToken(), signal: stop.signal }).then((answer) => {
      if (!stop.signal.aborted) setSlots(answer.ok ? answer.value : null);
    });
    return () => stop.abort();
  }, [date, service_type, duration_minutes]);
  return slots;
}
