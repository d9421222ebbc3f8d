/** Owns bars that lie one under the other, each with its name and its value: whom nobody has to point at to read them. */
import type { ReactNode } from "react";

export interface BarItem {
  /** Tells it from the others. */
  id: string;
  name: ReactNode;
  value: number;
  /** As it is written. */
  text: string;
  /** Below the name. */
  more?: ReactNode;
  /** The same of the days before; a mark on the bar. */
  before?: number;
}

/** Note below bars that also mark the value of the days before. */
export const MARK = "The mark shows the previous period.";

interface BarListProps {
  label: string;
  items: readonly BarItem[];
  /** The value of a full bar; the largest one without it. */
  most?: number;
}

export function BarList({ label, items, most }: BarListProps) {
  const full = most ?? Math.max(1, ...items.flatMap((it) => [it.value, it.before ?? 0]));
  return (
    <ul aria-label={label} className="num grid gap-3">
      {items.map(({ id, name, value, text, more, before }) => (
        <li key={id} className="grid gap-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
            <span className="ml-auto font-bold">{text}</span>
          </div>
          <div aria-hidden className="relative h-3 rounded-full bg-sunken">
            <div
              className="chart-fill h-full rounded-full bg-scheduled"
              style={{ width: `${Math.min(100, (100 * value) / full)}%` }}
            />
            {before !== undefined && (
              <div
                className="absolute -inset-y-1 w-1 -translate-x-1/2 rounded-full bg-ink"
                style={{ left: `${Math.min(100, (100 * before) / full)}%` }}
              />
            )}
          </div>
          {more && <span className="text-14 text-ink-2">{more}</span>}
        </li>
      ))}
    </ul>
  );
}
