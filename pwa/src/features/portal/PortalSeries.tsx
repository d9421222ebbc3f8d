/** Owns the visits that repeat, as a pet parent sees them: when, what is next, pauses, and asking for one. */
import { CirclePause, Repeat } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import type { ParentSeries } from "../../core";
import { useRead } from "../../data";
import { Button, Card } from "../../ui";
import { AskChangeDialog } from "./AskChangeDialog";
import { Asked } from "./Asked";

/** The series that run; empty where there is none. */
export function useParentSeries(): ParentSeries[] {
  const now = useMinute();
  return useRead((phone) => phone.parentSeries(now), now);
}

export function PortalSeries({ series }: { series: readonly ParentSeries[] }) {
  const [pausing, setPausing] = useState<ParentSeries>();
  return (
    <>
      <ul className="grid grid-cols-1 gap-3">
        {series.map((it) => (
          <li key={it.id}>
            <Item series={it} onPause={() => setPausing(it)} />
          </li>
        ))}
      </ul>
      {pausing && (
        <AskChangeDialog
          change={{ kind: "pause", series_id: pausing.id }}
          of={pausing.sentence}
          onClose={() => setPausing(undefined)}
        />
      )}
    </>
  );
}

function Item({ series: { id, sentence, later, dogs, pauses, next, asked }, onPause }: ItemProps) {
  const title = `series-${id}`;
  return (
    <Card aria-labelledby={title} className="num grid grid-cols-1 gap-2">
      <h3 id={title} className="flex items-start gap-2 font-bold">
        <Repeat aria-hidden className="mt-0.5 size-5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{sentence}</span>
      </h3>
      <div className="grid gap-1 text-14 text-ink-2">
        <p className="wrap-anywhere">{dogs.join(", ")}</p>
        <p>{next.length > 0 ? `Next: ${next.join(", ")}` : "No visit is planned"}</p>
        {[...later, ...pauses].map((it) => (
          <p key={it}>{it}</p>
        ))}
      </div>
      {asked.map((it) => (
        <Asked key={it.request_id} change={it} />
      ))}
      <Button
        kind="quiet"
        className="justify-self-start"
        icon={<CirclePause aria-hidden className="size-5" />}
        onClick={onPause}
      >
        Request a pause
      </Button>
    </Card>
  );
}

interface ItemProps {
  series: ParentSeries;
  onPause: () => void;
}
