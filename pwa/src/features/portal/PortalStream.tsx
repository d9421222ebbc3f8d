/** Owns the photos and notes of a pet over the months, with the reports and visits behind them. */
import { ArrowLeft, Images, NotebookText } from "lucide-react";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { useMinute } from "../../browser/clock";
import { addressId, type Pet, type StreamEntry } from "../../core";
import { useHasPulledSince, useRead, useSyncStatus } from "../../data";
import { NotHere } from "../../parts/NotHere";
import { Button, Card, EmptyState, PageBody, PageHeader } from "../../ui";
import { useOwnCard } from "./ownClient";
import { useReport } from "./ReportPreview";
import { StreamPhotos } from "./StreamPhotos";

/** Entries shown at first, and with each 'Show more': each report is a call of its own. */
const STEP = 10;

export default function PortalStream() {
  const id = addressId(useRoute("/client/stream/:id")[1]?.id);
  const card = useOwnCard();
  const pet = [...(card?.dogs ?? []), ...(card?.gone_dogs ?? [])].find((it) => it.id === id);
  const isGone = useHasPulledSince(id);
  const back = (
    <Link to="/client/pets" className="hit inline-flex items-center gap-1 font-medium">
      <ArrowLeft aria-hidden className="size-4" /> Pets & home
    </Link>
  );
  return (
    <>
      <PageHeader title={pet ? pet.name : isGone ? "Not here" : "Pet"} sub={back} />
      <PageBody className="grid max-w-220 grid-cols-1 gap-4">
        {pet ? <Stream pet={pet} /> : <NotHere what="pet" isGone={isGone} />}
      </PageBody>
    </>
  );
}

function Stream({ pet }: { pet: Pet }) {
  const now = useMinute();
  const [most, setMost] = useState(STEP);
  const { entries, count } = useRead((phone) => phone.petStream(pet.id, most, now), pet.id, most, now);
  if (count === 0) {
    return (
      <EmptyState icon={<Images aria-hidden />} title="No photos or notes yet">
        What your sitter shares about {pet.name} is collected here.
      </EmptyState>
    );
  }
  const months = entries.map((it) => it.month);
  return (
    <>
      {entries.map((it, at) => (
        <div key={it.id} className="grid grid-cols-1 gap-2">
          {months[at] !== months[at - 1] && <h2 className="pt-2 text-20 font-bold">{it.month}</h2>}
          <Entry entry={it} pet={pet} />
        </div>
      ))}
      {count > entries.length && (
        <Button kind="plain" onClick={() => setMost(most + STEP)}>
          Show more ({count - entries.length})
        </Button>
      )}
    </>
  );
}

function Entry({ entry: { day, report, words, service_id }, pet }: { entry: StreamEntry; pet: Pet }) {
  const shareId = report?.share_id;
  const kept = useReport(shareId);
  const said = words || kept?.page.note;
  const { online } = useSyncStatus();
  return (
    <Card>
      <article aria-label={day} className="grid grid-cols-1 gap-2">
        <h3 className="num font-bold">{day}</h3>
        {said && (
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {said}
          </p>
        )}
        {shareId && !kept && !online && (
          <p className="text-14 text-ink-2">The notes and photos of this report are shown once you are online.</p>
        )}
        {shareId && kept && <StreamPhotos shareId={shareId} report={kept} pet={pet} day={day} />}
        <p className="flex flex-wrap gap-x-5">
          {shareId && (
            <a href={`/report/${shareId}`} target="_blank" rel="noreferrer" className={LINK}>
              <NotebookText aria-hidden className="size-5" />
              Open the report
            </a>
          )}
          {service_id && (
            <Link to={`/client/visits/${service_id}`} className={LINK}>
              Open the visit
            </Link>
          )}
        </p>
      </article>
    </Card>
  );
}

const LINK = "inline-flex min-h-12 items-center gap-2 font-bold underline underline-offset-4";
