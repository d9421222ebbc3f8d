/** Owns what is shown of a report before it is opened: when, how far, the words, what happened, and its first photos. */
import { NotebookText } from "lucide-react";
import { useEffect, useState } from "react";
import type { Report } from "../../core";
import { type KeptReport, readReport } from "../../data/portal/keptReports";
import { noteReportRead } from "../../data/portal/readReports";
import { RelativeTime } from "../../parts/RelativeTime";
import { Card } from "../../ui";
import { Photo } from "../../ui/Photo";
import { ThanksForReport } from "./SayThanks";

/** Photos of a report that are shown before it is opened. */
const MOST_PHOTOS = 3;

interface ReportPreviewProps {
  report: Report;
  /** Words of the sitter that stand beside it already. */
  said?: string | undefined;
}

/** A report by its occasion, with all that can be shown of it here, and the way to its page. */
export function ReportPreview({ report: { share_id, started_at, kind = "walk", dogs }, said }: ReportPreviewProps) {
  const report = useReport(share_id);
  const page = report?.page;
  const facts = page && [page.times, page.duration, page.distance && `${page.distance} ${page.distance_label}`];
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="num font-medium wrap-anywhere">
        A {kind} with {dogs.join(", ")}, <RelativeTime at={started_at} inSentence />
      </p>
      {facts && <p className="num text-14 text-ink-2">{facts.filter(Boolean).join(" · ")}</p>}
      {page?.note && page.note !== said && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {page.note}
        </p>
      )}
      {share_id && report && <ReportPhotos shareId={share_id} report={report} />}
      <Happened report={report} />
      {share_id && (
        <a
          href={`/report/${share_id}`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-12 items-center gap-2 justify-self-start font-bold underline underline-offset-4"
        >
          <NotebookText aria-hidden className="size-5" />
          {openingText(report)}
        </a>
      )}
    </div>
  );
}

/** Names what the page has beyond the words; nothing of it is known before the report is here. */
function openingText(report: KeptReport | undefined): string {
  const beyond = [report?.page.n_photos && "photos", report?.page.map && "map"].filter(Boolean);
  return beyond.length > 0 ? `Open with ${beyond.join(" and ")}` : "Open the report";
}

/** The events that are no photos, in order of time. */
function Happened({ report }: { report: KeptReport | undefined }) {
  const events = report?.page.events.filter((it) => it.photo === null || it.photo === undefined) ?? [];
  if (events.length === 0) return null;
  return (
    <ul className="num grid gap-1">
      {events.map(({ time, text, dogs }, at) => (
        // They have no ids here and never change places.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at} className="flex gap-3">
          <span className="shrink-0 text-14 text-ink-2">{time}</span>
          <span dir="auto" className="min-w-0 whitespace-pre-line wrap-anywhere">
            {dogs ? `${text} · ${dogs}` : text}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A report that is of no visit, where the last visits are. */
export const LooseReport = ({ report }: { report: Report }) => (
  <Card>
    <ReportPreview report={report} />
    <ThanksForReport report={report} />
  </Card>
);

/** Returns the report at this address; nothing while it is looked for, and where it cannot be had. */
export function useReport(shareId: string | null | undefined): KeptReport | undefined {
  const [report, setReport] = useState<KeptReport>();
  useEffect(() => {
    let current = true;
    setReport(undefined);
    const show = (found: KeptReport | undefined) => {
      if (!current) return;
      setReport(found);
      if (found && shareId) void noteReportRead(shareId);
    };
    if (shareId) void readReport(shareId).then(show, () => undefined);
    return () => {
      current = false;
    };
  }, [shareId]);
  return report;
}

/** The first photos, as this phone has them, else from the server; all of them lead to the report. */
export function ReportPhotos({ shareId, report: { page, photos } }: { shareId: string; report: KeptReport }) {
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
