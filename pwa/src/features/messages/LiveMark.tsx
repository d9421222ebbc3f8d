/** Owns the word that what the other side writes comes at once (SPEC 2). */

import { useIsLive } from "../../data/sync/live";
import { Chip } from "../../ui";

export function LiveMark() {
  const isLive = useIsLive();
  return (
    <span role="status" className="shrink-0 empty:hidden">
      {isLive && (
        <Chip kind="ok" icon={<span aria-hidden className="size-2 rounded-full bg-completed" />}>
          Live
        </Chip>
      )}
    </span>
  );
}
