/**
 * Owns the marks beside fields that say who reads what is typed there, in forms where something stays with the sitter.
 * The core says which fields those are.
 */
import { Eye, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { readerOf } from "../core";
import { cx } from "./cx";
import { type MarkOf, MarksContext } from "./Field";

const READS = {
  client: { icon: <Eye aria-hidden className="size-4 shrink-0" />, text: "Your client sees this in the portal" },
  sitter: { icon: <Lock aria-hidden className="size-4 shrink-0" />, text: "Only you see this" },
} as const;

/** Who reads a field beside the sitter who fills it in: the client, or nobody. */
type Reader = keyof typeof READS;

export const ReaderMark = ({ reader }: { reader: Reader }) => (
  <>
    {READS[reader].icon}
    <span className="sr-only">{READS[reader].text}</span>
  </>
);

/** The mark of the field with this name. */
export const readerMark: MarkOf = (name) => <ReaderMark reader={readerOf(name)} />;

/** Marks the fields in it, by their names unless `of` says otherwise. */
export const Readers = ({ of = readerMark, children }: { of?: MarkOf; children: ReactNode }) => (
  <MarksContext value={of}>{children}</MarksContext>
);

/** Key to the marks: once in a form. */
export function ReadersKey({ className }: { className?: string }) {
  return (
    <ul aria-label="Who reads what" className={cx("flex flex-wrap gap-x-4 gap-y-1 text-14 text-ink-2", className)}>
      {Object.values(READS).map(({ icon, text }) => (
        <li key={text} className="inline-flex items-center gap-1.5">
          {icon} {text}
        </li>
      ))}
    </ul>
  );
}
