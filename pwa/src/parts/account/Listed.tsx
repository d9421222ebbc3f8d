/** Owns what only the server has of an account: fetching it, and what is said where that cannot be done. */
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useSyncStatus } from "../../data";
import type { Answer, ApiError } from "../../data/server/api";
import { Banner, Button, SkeletonCards } from "../../ui";

interface ListedProps<T> {
  list: () => Promise<Answer<T>>;
  /** Purpose for which a connection is needed, after 'to'. */
  purpose: string;
  children: (value: T, reload: () => Promise<void>) => ReactNode;
}

/**
 * Fetches a list and keeps it, also while there is no network: a dialog may be open in it that shows something but
 * once.
 */
export function Listed<T>({ list, purpose, children }: ListedProps<T>) {
  const { online, needsAuth } = useSyncStatus();
  const isReachable = online && !needsAuth;
  const [fetched, setFetched] = useState<{ value: T }>();
  const [error, setError] = useState<ApiError>();
  const load = useCallback(async () => {
    const answer = await list();
    if (answer.ok) setFetched({ value: answer.value });
    setError(answer.ok ? undefined : answer.error);
  }, [list]);
  useEffect(() => {
    if (isReachable) void load();
  }, [load, isReachable]);
  return (
    <>
      {isReachable ? (
        error && <Failed error={error} onRetry={() => void load()} />
      ) : (
        <p role="status" className="text-14 text-ink-2">
          {needsAuth ? "Sign in again to" : "You need a connection to"} {purpose}.
        </p>
      )}
      {isReachable && !error && !fetched && <SkeletonCards count={1} />}
      {fetched && children(fetched.value, load)}
    </>
  );
}

function Failed({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <>
      <Banner kind="danger" role="alert">
        {error.text}
      </Banner>
      <Button kind="quiet" onClick={onRetry}>
        Try Again
      </Button>
    </>
  );
}
