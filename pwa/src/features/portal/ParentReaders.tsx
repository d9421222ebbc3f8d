/** Owns the words that say to a pet parent who reads what they write. */
import { type ReactNode, useMemo } from "react";
import { useReplica } from "../../data";
import { ReaderWordsProvider } from "../../ui/Readers";
import { ownClientId } from "./ownClient";

const LINKS = "Your sitter and your household see this, and so does anyone with a link that your sitter shares.";

export function ParentReaders({ children }: { children: ReactNode }) {
  const household = useReplica((phone) => phone.accessReaders(ownClientId()));
  const words = useMemo(() => ({ client: household, message: household, links: LINKS }), [household]);
  return <ReaderWordsProvider words={words}>{children}</ReaderWordsProvider>;
}
