/** Owns how long ago something was, kept true on screen, in the core's words; the date alone if no business is open. */
import { useEffect, useState } from "react";
import { useBusinessIsOpen, useReplica } from "../data";

const MINUTE_MS = 60_000;

interface RelativeTimeProps {
  at: string;
  /** After other words. */
  inSentence?: boolean;
}

export function RelativeTime(it: RelativeTimeProps) {
  // Relative days are counted in the business's time zone.
  return useBusinessIsOpen() ? <Relative {...it} /> : <time dateTime={it.at}>{dayHere(it.at)}</time>;
}

const dayHere = (at: string): string => new Date(at).toLocaleDateString("en-US", { dateStyle: "medium" });

function Relative({ at, inSentence = false }: RelativeTimeProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const text = useReplica((phone) => phone.relativeTime(at, now));
  // A date keeps its capital.
  return <time dateTime={at}>{inSentence ? text.replace(/^Just now$/, "just now") : text}</time>;
}
