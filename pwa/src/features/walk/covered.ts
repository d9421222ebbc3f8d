/** Owns how much of the map of a walk lies under other things, so that the walker stays in sight. */

/**
 * Pixels of the map that are covered at its top, by the figures or by those with the card of a planned route below
 * them, and at its bottom, by the sheet.
 */
const COVERED = { figures: [152, 268], route: [270, 268] } as const;
/** On its side the sheet is beside the map. */
const COVERED_SIDEWAYS = { figures: [136, 0], route: [254, 0] } as const;

/** A question at the head of the sheet. */
const QUESTION_PX = 60;

export function coveredBy(what: keyof typeof COVERED, n_questions: number): [top: number, bottom: number] {
  const isSideways = matchMedia("(width >= 40rem) and (height < 30rem)").matches;
  const [top, bottom] = (isSideways ? COVERED_SIDEWAYS : COVERED)[what];
  return [top, isSideways ? bottom : bottom + n_questions * QUESTION_PX];
}
