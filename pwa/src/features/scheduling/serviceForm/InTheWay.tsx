/** Owns saying what overlaps a service, where there is room instead, and the way to do it all the same. */
import { TriangleAlert } from "lucide-react";
import type { ScheduleCheck } from "../../../core";
import { Banner, Button, useBusy } from "../../../ui";
import { SMALL_BUTTON_EDGE } from "../styles";

/** The check's result for a service that nobody has placed yet: nothing is said of it. */
export const NOT_PLACED = { conflict: null, obstacles: [], warnings: [], free: [] };

interface InTheWayProps {
  check: Pick<ScheduleCheck, "conflict" | "obstacles" | "warnings" | "free">;
  onPick: (start: string) => void;
  onAnyway: () => Promise<void>;
}

export function InTheWay({ check, onPick, onAnyway }: InTheWayProps) {
  const { conflict, obstacles, warnings, free } = check;
  const { busy, run } = useBusy();
  if (!conflict && warnings.length === 0) return <div role="status" />;
  return (
    <div role="status" className="grid gap-4">
      {warnings.length > 0 && (
        <Banner icon={<TriangleAlert aria-hidden />}>
          {warnings.map((it) => (
            <p key={it.text} className="num">
              {it.text}, emergencies allowed
            </p>
          ))}
        </Banner>
      )}
      {conflict && (
        <section aria-label="Conflict" className="grid gap-3 rounded-large border border-cancelled p-4">
          <p className="flex gap-2 font-medium text-danger">
            <TriangleAlert aria-hidden className="mt-[2px] size-5 shrink-0" />
            {conflict}
          </p>
          <ul className="grid gap-1 text-14">
            {obstacles.map((it) => (
              <li key={it.text} className="num font-medium">
                {it.text}
              </li>
            ))}
          </ul>
          {free.length > 0 ? (
            <div className="grid gap-2">
              <p className="text-14 text-ink-2">Free on this day</p>
              <div className="grid grid-cols-3 gap-2">
                {free.map((it) => (
                  <button key={it.value} type="button" className={SMALL_BUTTON_EDGE} onClick={() => onPick(it.value)}>
                    <span>
                      {it.label}
                      {it.suggested && <span className="block text-12 font-normal">suggested</span>}
                    </span>
                  </button>
                ))}
              </div>
            </div>
          ) : (
            <p className="text-14 text-ink-2">No other start is free on this day.</p>
          )}
          <Button kind="quiet" busy={busy} onClick={() => void run(onAnyway)}>
            Schedule anyway
          </Button>
        </section>
      )}
    </div>
  );
}
