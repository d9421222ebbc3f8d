/** Owns how long ago something was, kept true while it is looked at; the words are the core's; its day alone where no business is open. */
import { useEffect, useState } from "react";
import { useBusinessIsOpen, useReplica } from "../../data";

const MINUTE_MS = 60_000;

interface WhenProps {
  at: string;
  /** After other words. */
  inSentence?: boolean;
}

export function When(it: WhenProps) {
  // The clock in which days are counted is the business's.
  return useBusinessIsOpen() ? <Relative {...it} /> : <time dateTime={it.at}>{dayHere(it.at)}</time>;
}

const dayHere = (at: string): string => new Date(at).toLocaleDateString("en-US", { dateStyle: "medium" });

function Relative({ at, inSentence = false }: WhenProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const text = useReplica((phone) => phone.relativeTime(at, now));
  // A date keeps its capital.
  return <time dateTime={at}>{inSentence ? text.replace(/^Just now$/, "just now") : text}</time>;
}
