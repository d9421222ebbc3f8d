/** Owns what is known of the sitter's documents, which only the server has: asked for when there is a network. */
import { useCallback, useEffect, useState } from "react";
import type { DocumentAnswer } from "../../core";
import { useSyncStatus } from "../../data";
import { listDocuments } from "../../data/account/documents";

export interface Documents {
  /** Unknown until the server has answered. */
  list: readonly DocumentAnswer[] | undefined;
  /** Why it has not, in words. */
  problem: string | undefined;
  /** True if the server can be asked now. */
  isReachable: boolean;
  reload: () => Promise<void>;
}

export function useDocuments(): Documents {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  const [list, setList] = useState<DocumentAnswer[]>();
  const [problem, setProblem] = useState<string>();
  const reload = useCallback(async () => {
    const answer = await listDocuments();
    if (answer.ok) setList(answer.value);
    setProblem(answer.ok ? undefined : answer.error.text);
  }, []);
  useEffect(() => {
    if (isReachable) void reload();
  }, [isReachable, reload]);
  return { list, problem, isReachable, reload };
}
