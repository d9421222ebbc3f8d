/** Owns a visit that has just ended: what the sitter wrote about it, its first photos, thanks, and the same again. */
import { CalendarPlus } from "lucide-react";
import { Link } from "wouter";
import { formatDateHeading, type ServiceView } from "../../core";
import { useToday } from "../../parts/dates";
import { ButtonLink, Card } from "../../ui";
import { LastMoments } from "./LiveMoments";
import { ReportPhotos, useReport } from "./ReportPreview";
import { useReportsOf } from "./reports";
import { ThanksForVisit } from "./SayThanks";
import { SAME_AGAIN, sameAgain, useCanAskAgain } from "./sameAgain";
import { VisitStatus } from "./VisitStatus";

export function EndedVisit({ visit }: { visit: ServiceView }) {
  const shareId = useReportsOf(visit)[0]?.share_id;
  const report = useReport(shareId);
  const today = useToday();
  const canAskAgain = useCanAskAgain(visit);
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
      {shareId && report && <ReportPhotos shareId={shareId} report={report} />}
      <LastMoments visit={visit} />
      <div className="flex flex-wrap gap-2 empty:hidden *:flex-auto md:*:flex-none">
        {canAskAgain && (
          <ButtonLink
            kind="quiet"
            to={sameAgain(visit)}
            icon={<CalendarPlus aria-hidden className="size-5" />}
            className="relative"
          >
            {SAME_AGAIN}
          </ButtonLink>
        )}
        <ThanksForVisit visit={visit} />
      </div>
    </Card>
  );
}
