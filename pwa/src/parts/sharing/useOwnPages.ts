/** Owns that a screen with links to shared pages marks this browser as the sitter's, whose own look is no news. */
import { useEffect } from "react";
import { markOwnPages, useReplica } from "../../data";

export function useOwnPages(): void {
  const sitterId = useReplica((phone) => phone.sitter()?.id);
  useEffect(() => {
    if (sitterId) markOwnPages(sitterId);
  }, [sitterId]);
}
