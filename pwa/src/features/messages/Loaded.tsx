/** Owns what stands in place of a list that this phone has not seen yet: before the first pull an empty one means nothing. */
import type { ReactNode } from "react";
import { useReplica } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";

interface LoadedProps {
  /** Text for a list that cannot be fetched. */
  failure: string;
  /** For those who do not see that it comes. */
  label: string;
  children: ReactNode;
}

export function Loaded({ failure, label, children }: LoadedProps) {
  const hasLoaded = useReplica((phone) => phone.hasLoaded() || phone.pendingCount() > 0);
  if (hasLoaded) return children;
  return (
    <div className="p-4">
      <LoadingOrFailure label={label} failure={(why) => `${failure} ${why}`} />
    </div>
  );
}
