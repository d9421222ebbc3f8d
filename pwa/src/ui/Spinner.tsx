/** Owns the sign that something is under way for which no skeleton can stand. */
import { cx } from "./cx";

export function Spinner({ label = "Loading", className }: { label?: string; className?: string }) {
  return (
    <span role="status" className={cx("inline-grid place-items-center", className)}>
      <svg viewBox="0 0 24 24" className="size-6 animate-spin" fill="none" strokeWidth="2.5" strokeLinecap="round">
        <title>{label}</title>
        <circle cx="12" cy="12" r="9" className="stroke-current opacity-20" />
        <path d="M12 3a9 9 0 0 1 9 9" className="stroke-current" />
      </svg>
    </span>
  );
}
