/** Owns how much of the map of a walk lies under other things, so that the walker stays in sight. */

/**
 * Pixels of the map that the figures, with the card of a planned route below them, cover at the top, and the sheet at
 * the bottom.
 */
const COVERED = { figures: [152, 268], route: [270, 268] } as const;
/** On its side the sheet is beside the map. */
const COVERED_SIDEWAYS = { figures: [136, 0], route: [254, 0] } as const;

/** The question of which dogs, at the head of the sheet. */
const QUESTION_PX = 60;

export function coveredBy(what: keyof typeof COVERED, isAsked: boolean): [top: number, bottom: number] {
  const isSideways = matchMedia("(width >= 40rem) and (height < 30rem)").matches;
  const [top, bottom] = (isSideways ? COVERED_SIDEWAYS : COVERED)[what];
  return [top, isAsked && !isSideways ? bottom + QUESTION_PX : bottom];
}
