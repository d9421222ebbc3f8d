/** Owns the signs of a series: the mark of a visit that belongs to one, and whether it runs. */
import { Repeat } from "lucide-react";
import type { SeriesView } from "../../core";
import { Chip, cx } from "../../ui";

/** The mark of a visit that belongs to a series. */
export function SeriesMark({ view, className }: { view: { series_id?: string | null }; className?: string }) {
  if (!view.series_id) return null;
  return (
    <span title={IN_A_SERIES} className={cx("inline-flex shrink-0 text-ink-3", className)}>
      <Repeat aria-hidden className="size-4" />
      <span className="sr-only">{IN_A_SERIES}</span>
    </span>
  );
}

export const IN_A_SERIES = "Part of a series";

/** `2 dates to decide`: visits whose time is taken, which wait for a person's decision. */
export const datesToDecide = (count: number): string => (count === 1 ? "1 date to decide" : `${count} dates to decide`);

/** `Not begun yet`, `Running`, `Paused` or `Ended`. */
export function SeriesStateChip({ view, today }: { view: SeriesView; today: string }) {
  if (view.is_over) return <Chip>Ended</Chip>;
  const [first] = view.series.phases;
  if (first && today < first.from) return <Chip>Not begun yet</Chip>;
  const isPaused = view.series.pauses?.some((it) => it.from <= today && today <= it.to);
  return isPaused ? <Chip kind="tag">Paused</Chip> : <Chip kind="ok">Running</Chip>;
}
