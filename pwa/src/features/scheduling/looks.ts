/** Owns the one look that only the schedule has: the hatching of blocked times. */
export const HATCH = "bg-[repeating-linear-gradient(135deg,var(--color-line)_0_4px,transparent_4px_10px)]";
