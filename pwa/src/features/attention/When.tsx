/** Owns how long ago something was, kept true while it is looked at; the words are the core's. */
import { useEffect, useState } from "react";
import { useReplica } from "../../data";

const MINUTE_MS = 60_000;

export function When({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const text = useReplica((phone) => phone.relativeTime(at, now));
  return <time dateTime={at}>{text}</time>;
}
