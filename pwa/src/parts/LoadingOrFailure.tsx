/** Owns what stands in place of a list before the first pull, when an empty one means nothing: that it comes, or why not. */
import type { ReactNode } from "react";
import { Link } from "wouter";
import { transportError } from "../core";
import { sendNow, useSyncStatus } from "../data";
import { Banner, LoadFailure, SkeletonCards } from "../ui";

interface LoadingOrFailureProps {
  /** For those who do not see that it comes. */
  label: string;
  /** Builds the text for a list that cannot be fetched, from the reason. */
  failure: (why: string) => ReactNode;
  /** How many cards are on their way. */
  count?: number;
}

export function LoadingOrFailure({ label, failure, count = 4 }: LoadingOrFailureProps) {
  const { online, trouble, needsAuth } = useSyncStatus();
  if (needsAuth) {
    return (
      <Banner kind="danger" role="alert" action={<Link to="/auth/login">Sign in</Link>}>
        {failure(transportError(401, ""))}
      </Banner>
    );
  }
  if (online && trouble === undefined) return <SkeletonCards label={label} count={count} />;
  return <LoadFailure onRetry={sendNow}>{failure(trouble ?? transportError(0, ""))}</LoadFailure>;
}
