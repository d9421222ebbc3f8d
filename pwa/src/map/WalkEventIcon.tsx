/** Owns the pictures of events on walks and visits, the same on a button as on the map. */
import type { WalkEventKind } from "../core";

export const EVENT_PATHS: Record<WalkEventKind, string> = {
  photo: "M4 8h4l2-3h4l2 3h4v11H4z M12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  potty:
    "M12 4c3 3 1 4 1 5 3 0 5 2 5 4 2 0 3 2 3 3.500S19.500 20 18 20H6c-2 0-3-1.500-3-3.500S4 13 6 13c0-3 3-3 4-4s1-3 2-5z",
  water: "M12 3c5 6 6 8 6 11a6 6 0 0 1-12 0c0-3 1-5 6-11z",
  note: "M5 4h14v16H5z M9 9h6 M9 13h6",
  break: "M5 9h11v6a5 5 0 0 1-5 5 5 5 0 0 1-6-5z M16 10h2a2 2 0 0 1 0 5h-2 M8 3v3 M12 3v3",
  pee: "M9 3c3 4 4 5.500 4 7.500a4 4 0 0 1-8 0C5 8.500 6 7 9 3z M17 12c2 2.700 3 3.700 3 5.200a3 3 0 0 1-6 0c0-1.500 1-2.500 3-5.200z",
  poop: "M12 4c3 3 1 4 1 5 3 0 5 2 5 4 2 0 3 2 3 3.500S19.500 20 18 20H6c-2 0-3-1.500-3-3.500S4 13 6 13c0-3 3-3 4-4s1-3 2-5z M9 16h6",
  fed: "M4 12h16a8 8 0 0 1-4 7H8a8 8 0 0 1-4-7z M8 8c0-1.500 2-2 2-4 M14 8c0-1.500 2-2 2-4",
  litter: "M3 13h18l-2 7H5z M8 13V9 M12 13V5 M16 13V9",
  medication: "M6.500 17.500a4.200 4.200 0 0 1 0-6l5-5a4.200 4.200 0 0 1 6 6l-5 5a4.200 4.200 0 0 1-6 0z M9 9l6 6",
  play: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M5.500 6c4 3 4 9 0 12 M18.500 6c-4 3-4 9 0 12",
};

export function WalkEventIcon({ kind }: { kind: WalkEventKind }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={EVENT_PATHS[kind]} />
    </svg>
  );
}
