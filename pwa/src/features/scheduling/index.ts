/** Owns what other features use of the schedule: what a series would come to, and its days of the week. */
export { PreviewList } from "./series/PreviewList";
export { withWaits } from "./series/saveSeries";
export { Weekdays } from "./series/Weekdays";
