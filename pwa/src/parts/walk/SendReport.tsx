/** Owns the way from a visit that was completed to the report of its walk: shared, or still to be shared. */
import { FileText, Send } from "lucide-react";
import type { Report } from "../../core";
import { SEND_STATE, useRead, useReplica, useSendState } from "../../data";
import { servicesOf, useWalks } from "../../data/walks/walks";
import { ButtonLink, OutsideLink } from "../../ui";
import { reportUrl } from "../sharing/sendLink";
import { useOwnPages } from "../sharing/useOwnPages";

/** In the address of a walk: its report is what one comes for. */
export const SEND = "send";

const useRow = (serviceId: string) => useWalks()?.find((it) => it.summary && servicesOf(it).includes(serviceId));

/** The button that shares the report; nothing once it is shared. */
export function SendReport({ serviceId }: { serviceId: string }) {
  const row = useRow(serviceId);
  const isShared = useReplica((phone) => row !== undefined && phone.reports(row.id).length > 0);
  if (!row || isShared) return null;
  return (
    <ButtonLink kind="quiet" to={`/walks/${row.id}?${SEND}=1`} icon={<Send aria-hidden className="size-5" />}>
      Share report
    </ButtonLink>
  );
}

/** The reports of a visit: how each got to the client, who has opened it, and the way there. Nothing where there is none. */
export function SharedReports({ serviceId }: { serviceId: string }) {
  useOwnPages();
  const reports = useRead((phone) => phone.reportsOf(serviceId), serviceId);
  const row = useRow(serviceId);
  const walks = useWalks();
  const waits = useReplica(
    (phone) => row !== undefined && phone.reports(row.id).some((it) => phone.isPending("report", it.id)),
  );
  const state = useSendState();
  if (reports.length === 0 && !waits) return null;
  return (
    <section aria-label="Report" className="grid gap-2">
      <h3 className="text-14 text-ink-2">Report</h3>
      {waits && <p className="text-14 text-ink-2">{SEND_STATE[state]}</p>}
      {reports.map((report) => (
        <SharedReport key={report.id} report={report} isHere={walks?.some((it) => it.id === report.walk_id) ?? false} />
      ))}
    </section>
  );
}

function SharedReport({ report, isHere }: { report: Report; isHere: boolean }) {
  const way = useReplica((phone) => phone.gotReport(report.id));
  const icon = <FileText aria-hidden className="size-5" />;
  return (
    <div className="grid justify-items-start gap-2">
      {way && <p className="text-14 wrap-anywhere">{way}</p>}
      {isHere ? (
        <ButtonLink kind="quiet" to={`/walks/${report.walk_id}`} icon={icon}>
          Open the report
        </ButtonLink>
      ) : (
        // Its walk is on another phone.
        report.share_id && (
          <OutsideLink href={reportUrl(report.share_id)} icon={icon}>
            Open the report
          </OutsideLink>
        )
      )}
    </div>
  );
}
