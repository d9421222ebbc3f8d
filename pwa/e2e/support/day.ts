/**
 * Owns when tests take place: in a time zone where it is ten in the morning now, so that no test meets midnight. The
 * clock is the machine's own, so a run sees any minute from ten to noon. A visit becomes overdue a quarter of an hour
 * after its start or its end: one whose look matters ends by nine or begins not before noon, and looks the same at each of
 * those minutes.
 */

const HOUR = 10;
const offset = (() => {
  const hours = HOUR - new Date().getUTCHours();
  return hours < -12 ? hours + 24 : hours;
})();

/** POSIX names count to the west. */
export const ZONE = offset === 0 ? "Etc/UTC" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;

/** `YYYY-MM-DD` there, so many days from today. */
export function day(fromToday = 0): string {
  const at = Date.now() + offset * 3_600_000 + fromToday * 86_400_000;
  return new Date(at).toISOString().slice(0, 10);
}
