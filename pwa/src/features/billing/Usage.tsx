/** Owns how far the plan's limits are used up: a bar where there is a limit, and the numbers in words. */
import type { UsageView } from "../../core";
import { cx, ProgressBar } from "../../ui";

export function Usage({ usage }: { usage: readonly UsageView[] }) {
  return (
    <ul className="grid gap-4">
      {usage.map(({ what, name, words, status, share }) => (
        <li key={what} className="grid gap-2">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{name}</span>
            <span className={cx("num text-14", status === "at_limit" ? "font-bold text-tag-ink" : "text-ink-2")}>
              {words}
              {status === "at_limit" && ", at the limit"}
              {status === "near_limit" && ", near the limit"}
            </span>
          </p>
          {status !== "unlimited" && (
            <ProgressBar value={share} label={`${name}: ${words}`} warnFrom={status === "fine" ? undefined : 0} />
          )}
        </li>
      ))}
    </ul>
  );
}
