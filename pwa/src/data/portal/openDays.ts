/** Owns which days a sitter offers, a stretch of the calendar at a time: asked of the server, as the open times of a day are. */
import { useEffect, useState } from "react";
import { limits, type OpenDays, plusDays, type ServiceType } from "../../core";
import { business } from "../business/openBusiness";
import { type ApiError, call, pathIn } from "../server/api";
import { sessionToken } from "../session/session";
import { whenBack } from "../sync/sync";

/** Parameters of a query for open days; a component that asks with others is another one. */
export interface OpenDaysQuestion {
  service_type: ServiceType;
  duration_minutes: number;
  stay: boolean;
  /** Id of an own visit that is to be moved, and so is not in the way. */
  except?: string;
}

export interface ListedDays {
  /** The stretches that were asked for so far, as one; absent until the first has come. */
  listed: OpenDays | undefined;
  /** Why the next stretch cannot be told. */
  trouble: ApiError | undefined;
  isLoading: boolean;
  /** Asks for the next stretch; absent where there is none. */
  more: (() => void) | undefined;
  /** Asks again for what could not be told. */
  again: () => void;
}

export function useOpenDays(
  { service_type, duration_minutes, stay, except }: OpenDaysQuestion,
  today: string,
): ListedDays {
  const [listed, setListed] = useState<OpenDays>();
  const [trouble, setTrouble] = useState<ApiError>();
  const [asked, setAsked] = useState({ from: "", tries: 0 });
  const [isLoading, setIsLoading] = useState(true);
  const again = () => setAsked(({ from, tries }) => ({ from, tries: tries + 1 }));
  useEffect(() => {
    const stop = new AbortController();
    const what = `service_type=${service_type}&duration_minutes=${duration_minutes}&stay=${String(stay)}`;
    const query = except ? `${what}&except=${except}` : what;
    const from = asked.from && `&from=${asked.from}`;
    let isOffline = false;
    setIsLoading(true);
    const look = async () => {
      const path = pathIn(`/client/open-days?${query}${from}`, business().store.place);
      const answer = await call<OpenDays>(path, { token: sessionToken(), signal: stop.signal });
      if (stop.signal.aborted) return;
      setIsLoading(false);
      isOffline = !answer.ok && answer.error.kind === "offline";
      setTrouble(answer.ok ? undefined : answer.error);
      if (answer.ok) setListed((before) => (before && from ? joined(before, answer.value) : answer.value));
    };
    void look();
    const leave = whenBack(() => isOffline && again());
    return () => {
      leave();
      stop.abort();
    };
  }, [service_type, duration_minutes, stay, except, asked]);
  const last = listed?.last ?? plusDays(today, limits().calendar_days);
  const more =
    listed && listed.until < last ? () => setAsked({ from: plusDays(listed.until, 1), tries: 0 }) : undefined;
  return { listed, trouble, isLoading, more, again };
}

const joined = (before: OpenDays, next: OpenDays): OpenDays => ({
  ...next,
  first: before.first,
  days: [...before.days.filter((it) => it < next.first), ...next.days],
});
