/** Owns from when to when: two times side by side, and a word where nothing lies between them. */
import type { ReactNode } from "react";
import { bind, TimeField } from "../../ui";

interface Times {
  start_time: string;
  end_time: string;
}

interface HoursProps {
  value: Times;
  onChange: (change: Partial<Times>) => void;
  /** End of the sentence for hours that end before they begin: `it blocks nothing`. */
  empty: string;
  /** Below the times. */
  children?: ReactNode;
}

export function Hours({ value, onChange, empty, children }: HoursProps) {
  const { start_time, end_time } = value;
  const bound = bind(value, onChange);
  return (
    <div className="grid gap-1 md:col-span-2">
      <div className="grid pair items-start gap-4">
        <TimeField label="Start time" {...bound("start_time")} />
        <TimeField label="End time" {...bound("end_time")} />
      </div>
      {start_time !== "" && end_time !== "" && end_time <= start_time && (
        <p role="status" className="text-14 text-ink-2">
          It ends before it begins, so {empty}.
        </p>
      )}
      {children}
    </div>
  );
}
