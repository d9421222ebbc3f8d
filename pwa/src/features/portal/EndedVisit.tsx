/** Owns a visit that has just ended: what the sitter wrote about it, its first photos, and the same again next week. */
import { CalendarPlus } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { formatDateHeading, type ServiceView } from "../../core";
import { type KeptReport, readReport } from "../../data/portal/keptReports";
import { useToday } from "../../parts/dates";
import { ButtonLink, Card } from "../../ui";
import { Photo } from "../../ui/Photo";
import { useReportsOf } from "./reports";
import { canAskAgain, sameNextWeek } from "./sameAgain";
import { VisitStatus } from "./VisitStatus";

/** Photos of a report that are shown before it is opened. */
const MOST_PHOTOS = 3;

export function EndedVisit({ visit }: { visit: ServiceView }) {
  const shareId = useReportsOf(visit)[0]?.share_id;
  const report = useReport(shareId);
  const today = useToday();
  const said = report?.page.note || visit.completion_notes;
  return (
    <Card pressable status={visit.status} className="grid grid-cols-1 gap-3">
      <div className="num flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-bold wrap-anywhere">
          <Link to={`/client/visits/${visit.id}`} className="stretched outline-none after:absolute after:inset-0">
            {visit.date === today ? "Today" : formatDateHeading(visit.date)}, {visit.window || visit.formatted_time}
          </Link>
        </h3>
        <VisitStatus visit={visit} />
      </div>
      <p className="num text-14 text-ink-2 wrap-anywhere">{visit.summary}</p>
      {said && (
        <p dir="auto" className="line-clamp-3 whitespace-pre-line wrap-anywhere">
          {said}
        </p>
      )}
      {shareId && report && <Photos shareId={shareId} report={report} />}
      {canAskAgain(visit) && (
        <ButtonLink
          kind="quiet"
          to={sameNextWeek(visit)}
          icon={<CalendarPlus aria-hidden className="size-5" />}
          className="relative md:justify-self-start"
        >
          Same again next week
        </ButtonLink>
      )}
    </Card>
  );
}

/** Returns the report at this address; nothing while it is looked for, and where it cannot be had. */
function useReport(shareId: string | null | undefined): KeptReport | undefined {
  const [report, setReport] = useState<KeptReport>();
  useEffect(() => {
    let current = true;
    setReport(undefined);
    const show = (found: KeptReport | undefined) => current && setReport(found);
    if (shareId) void readReport(shareId).then(show, () => undefined);
    return () => {
      current = false;
    };
  }, [shareId]);
  return report;
}

/** The first photos, as this phone has them, else from the server; all of them lead to the report. */
function Photos({ shareId, report: { page, photos } }: { shareId: string; report: KeptReport }) {
  const [kept, setKept] = useState<readonly string[]>([]);
  const count = page.n_photos;
  useEffect(() => {
    const blobs = Array.from({ length: Math.min(count, MOST_PHOTOS) }, (_, at) => photos.get(String(at)));
    const urls = blobs.map((it) => (it ? URL.createObjectURL(it) : ""));
    setKept(urls);
    return () => {
      for (const url of urls) if (url) URL.revokeObjectURL(url);
    };
  }, [photos, count]);
  if (count === 0) return null;
  const address = `/api/public/reports/${encodeURIComponent(shareId)}/photos`;
  return (
    <a
      href={`/report/${shareId}`}
      target="_blank"
      rel="noreferrer"
      aria-label={count === 1 ? "Open the report with 1 photo" : `Open the report with ${count} photos`}
      className="relative grid grid-cols-3 gap-2"
    >
      {kept.map((url, at) => (
        // They have no names here and never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <Photo
          key={at}
          src={url || `${address}/${at}?size=thumb`}
          alt={`Photo ${at + 1}`}
          className="aspect-square w-full"
        />
      ))}
    </a>
  );
}
