/**
 * Owns the word that messages come at once (SPEC 2). It stands beside no name, nor is it green: there it reads as somebody
 * being online.
 */
import { Radio } from "lucide-react";
import { useIsLive } from "../../data/sync/live";
import { Chip } from "../../ui";

export function LiveMark() {
  const isLive = useIsLive();
  return (
    <span role="status" title="New messages arrive at once" className="shrink-0 empty:hidden">
      {isLive && (
        <Chip icon={<Radio aria-hidden />}>
          Live<span className="sr-only">: new messages arrive at once</span>
        </Chip>
      )}
    </span>
  );
}
