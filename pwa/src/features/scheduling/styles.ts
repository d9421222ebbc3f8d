/** Owns the looks that only the schedule has: hatching of blocked times, and small buttons in a row. */

export const HATCH = "bg-[repeating-linear-gradient(135deg,var(--color-line)_0_4px,transparent_4px_10px)]";

const BASE =
  "num inline-flex min-h-12 items-center justify-center gap-1 rounded-large text-14 font-bold whitespace-nowrap " +
  "transition-[background-color,scale] hover:bg-sunken active:scale-[.98]";

/** As high as a finger, as quiet as a word. */
export const SMALL_BUTTON = `${BASE} px-2`;

export const SMALL_BUTTON_EDGE = `${BASE} bg-card px-3 shadow-[inset_0_0_0_1px_var(--color-line)] forced-colors:border`;
