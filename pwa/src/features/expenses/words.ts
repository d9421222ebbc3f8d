/** Owns what is said of miles. */

/** `1 mile`, `1,204.5 miles`. */
export const milesText = (miles: number): string => `${withCommas(miles)} ${miles === 1 ? "mile" : "miles"}`;

/** By hand: the browser's rules of languages take a slow phone longer to load than a month takes to be drawn. */
const withCommas = (amount: number): string => {
  const [whole = "", part] = String(amount).split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? grouped : `${grouped}.${part}`;
};
