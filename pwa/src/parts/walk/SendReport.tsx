/** Owns the way from a visit that was completed to the report of its walk, as long as that was not shared. */
import { Send } from "lucide-react";
import { useReplica } from "../../data";
import { servicesOf, useWalks } from "../../data/walks/walks";
import { ButtonLink } from "../../ui";

/** In the address of a walk: its report is what one comes for. */
export const SEND = "send";

export function SendReport({ serviceId }: { serviceId: string }) {
  const row = useWalks()?.find((it) => it.summary && servicesOf(it).includes(serviceId));
  const isShared = useReplica((phone) => row !== undefined && phone.reports(row.id).length > 0);
  if (!row || isShared) return null;
  return (
    <ButtonLink kind="quiet" to={`/walks/${row.id}?${SEND}=1`} icon={<Send aria-hidden className="size-5" />}>
      Share report
    </ButtonLink>
  );
}
