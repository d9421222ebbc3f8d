/** Owns how far something is that takes a while and can be counted. */
interface ProgressBarProps {
  /** 0 to `max`. */
  value: number;
  max?: number;
  label: string;
  /** Marigold from here on, as 0.8 for storage that fills up. */
  warnFrom?: number;
}

export function ProgressBar({ value, max = 1, label, warnFrom = 2 }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      tabIndex={-1}
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full origin-left rounded-full transition-transform ${share >= warnFrom ? "bg-tag" : "bg-act"}`}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
