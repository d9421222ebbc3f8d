/** Owns the address that a person types before the sign-in: it goes along from one of these screens to the next. */
import { useState } from "react";

let typed: string | undefined;

/** The address as typed last, else `known`; the third forgets it, once somebody is signed in. */
export function useEmail(known = ""): [email: string, change: (email: string) => void, forget: () => void] {
  const [email, setEmail] = useState(typed ?? known);
  const change = (next: string) => {
    typed = next;
    setEmail(next);
  };
  const forget = () => {
    typed = undefined;
  };
  return [email, change, forget];
}
