/** Owns telling a sitter what a pet parent has set of home and pets, until it was read on this device. */
import { type Client, formatNames } from "../../core";
import { haveRead, useParentNews } from "../../parts/parentNews";
import { RelativeTime } from "../../parts/RelativeTime";
import { Banner } from "../../ui";

export function ParentChanges({ client: { id, name, parents = [] } }: { client: Client }) {
  const changes = useParentNews().find((it) => it.client_id === id)?.changes ?? [];
  const last = changes.at(-1);
  if (!last) return null;
  const of = parents.filter((parent) => parents.length > 1 && changes.some((it) => it.by === parent.user_id));
  const who = of.length > 0 ? formatNames(of.map((it) => it.name)) : name;
  return (
    <Banner
      role="status"
      action={
        <button type="button" onClick={() => haveRead(id, last.at)}>
          OK
        </button>
      }
    >
      Changed by <bdi>{who}</bdi> in the portal, <RelativeTime at={last.at} inSentence />:{" "}
      <bdi>{formatNames(changes.map((it) => it.what))}</bdi>
    </Banner>
  );
}
