/** Owns the week hour by hour: how much of what is on offer visits take. It is a table, so that every value can be read. */
import { cx } from "../../ui";
import type { Analytics } from "./useFigures";

const DAYS = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

export function HourMap({ availability }: { availability: Analytics["availability"] }) {
  const { hours, hourLabels } = availability;
  // By day, those alone that the days have.
  const days = hours.filter((_, place) => place % hourLabels.length === 0).map((it) => it.day_of_week);
  const at = (column: number, row: number) => hours[column * hourLabels.length + row];
  return (
    <table className="hour-map num w-full table-fixed border-separate">
      <caption className="sr-only">Share of each hour of the week that visits take, in percent</caption>
      <thead>
        <tr>
          <th scope="col" className="w-12">
            <span className="sr-only">Hour</span>
          </th>
          {days.map((it) => (
            <th key={it} scope="col" className="pb-1 font-medium text-ink-2">
              {DAYS[it]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hourLabels.map((label, row) => (
          <tr key={label}>
            <th scope="row" className="pr-1 text-right font-medium whitespace-nowrap text-ink-2">
              {label.replace(":00 ", " ")}
            </th>
            {days.map((it, column) => (
              <Cell key={it} of={at(column, row)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Filled from below as far as it is taken; what is nearly always free stands out. */
function Cell({ of }: { of: Analytics["availability"]["hours"][number] | undefined }) {
  const share = of?.booked;
  if (share === null || share === undefined) {
    return (
      <td className="h-8">
        <span className="sr-only">not offered</span>
      </td>
    );
  }
  return (
    <td
      className={cx(
        "relative h-8 overflow-hidden rounded-[6px] text-center",
        of?.is_empty ? "bg-tag-soft font-bold text-tag-ink" : "bg-sunken text-ink",
      )}
    >
      {!of?.is_empty && (
        <span
          aria-hidden
          className="chart-taken absolute inset-x-0 bottom-0"
          style={{ height: `${Math.min(100, share)}%` }}
        />
      )}
      <span className="relative">{Math.round(share)}</span>
    </td>
  );
}
