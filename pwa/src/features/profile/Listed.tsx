/** Owns what only the server has of an account: fetching it, and what is said in its place. */
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useSyncStatus } from "../../data";
import type { Answer } from "../../data/api";
import { Banner, Button, SkeletonCards } from "../../ui";

interface ListedProps<T> {
  list: () => Promise<Answer<T>>;
  /** What the network is needed for, after 'to'. */
  purpose: string;
  children: (value: T, reload: () => Promise<void>) => ReactNode;
}

export function Listed<T>({ purpose, ...list }: ListedProps<T>) {
  const { online, needsAuth } = useSyncStatus();
  if (online && !needsAuth) return <Fetched {...list} />;
  return (
    <p role="status" className="text-14 text-ink-2">
      {needsAuth ? "Sign in again to" : "The network is needed to"} {purpose}.
    </p>
  );
}

function Fetched<T>({ list, children }: Omit<ListedProps<T>, "purpose">) {
  const [answer, setAnswer] = useState<Answer<T>>();
  const load = useCallback(async () => setAnswer(await list()), [list]);
  useEffect(() => {
    void load();
  }, [load]);
  if (!answer) return <SkeletonCards count={1} />;
  if (answer.ok) return children(answer.value, load);
  return (
    <>
      <Banner kind="danger" role="alert">
        {answer.error.text}
      </Banner>
      <Button kind="quiet" onClick={() => void load()}>
        Try again
      </Button>
    </>
  );
}
