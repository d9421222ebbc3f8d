/** Owns reports whose walk is on another phone, or was deleted: they can still be seen and taken back. */
import { ExternalLink, Undo2 } from "lucide-react";
import { useRead } from "../../data";
import type { WalkRow } from "../../data/walks/walks";
import { reportUrl } from "../../parts/sharing/sendLink";
import { useOwnPages } from "../../parts/sharing/useOwnPages";
import { date, names } from "../../parts/walk/walkText";
import { Card, IconButton } from "../../ui";
import { askToTakeBack, unshare } from "./ShareReport";

export function ElsewhereReports({ here }: { here: readonly WalkRow[] }) {
  useOwnPages();
  const walks = new Set(here.map((it) => it.id));
  const reports = useRead((phone) => phone.reports()).filter((it) => !walks.has(it.walk_id));
  if (reports.length === 0) return null;
  const takeBack = async (walkId: string, title: string) => {
    if (await askToTakeBack(walkId)) await unshare(walkId, title);
  };
  return (
    <section className="grid gap-3 pt-4 md:col-span-2 lg:col-span-3" aria-labelledby="shared-elsewhere">
      <h2 id="shared-elsewhere" className="text-20 font-bold">
        Recorded on another device
      </h2>
      {reports.map((report) => (
        <Card key={report.id} className="flex items-center gap-2 py-2 pr-2">
          <div className="min-w-0 flex-1">
            <p className="truncate font-bold">{names(report.dogs)}</p>
            <p className="num text-14 text-ink-2">{date(Date.parse(report.started_at))}</p>
          </div>
          {report.share_id && (
            <a
              href={reportUrl(report.share_id)}
              target="_blank"
              rel="noreferrer"
              aria-label={`Open the report for ${names(report.dogs)}`}
              className="grid size-12 shrink-0 place-items-center rounded-large hover:bg-sunken"
            >
              <ExternalLink aria-hidden className="size-5" />
            </a>
          )}
          <IconButton
            label={`Take back the report for ${names(report.dogs)}`}
            className="text-danger"
            onClick={() => void takeBack(report.walk_id, names(report.dogs))}
          >
            <Undo2 />
          </IconButton>
        </Card>
      ))}
    </section>
  );
}
