/** Owns what is said of miles. */

/** `1 mile`, `1,204.5 miles`. */
export const milesText = (miles: number): string =>
  `${miles.toLocaleString("en-US")} ${miles === 1 ? "mile" : "miles"}`;
