/** Owns how long ago something was, kept true while it is looked at; the words are the core's. */
import { useEffect, useState } from "react";
import { useReplica } from "../../data";

const MINUTE_MS = 60_000;

interface WhenProps {
  at: string;
  /** After other words. */
  inSentence?: boolean;
}

export function When({ at, inSentence = false }: WhenProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const text = useReplica((phone) => phone.relativeTime(at, now));
  // A date keeps its capital.
  return <time dateTime={at}>{inSentence ? text.replace(/^Just now$/, "just now") : text}</time>;
}
