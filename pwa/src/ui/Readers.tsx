/**
 * Owns the words that say who reads a field beside the sitter who fills it in. A form with many fields has a mark beside
 * each label and a key to the marks; the core says which fields of clients, pets and services stay with the sitter. A form
 * with few texts has a line below each.
 */
import { Eye, Lock } from "lucide-react";
import type { ReactNode } from "react";
import { readerOf } from "../core";
import { cx } from "./cx";
import { type MarkOf, MarksContext } from "./Field";

const EYE = <Eye aria-hidden className="size-4 shrink-0" />;
const LOCK = <Lock aria-hidden className="size-4 shrink-0" />;

const READS = {
  client: { icon: EYE, text: "Your client sees this in the portal" },
  clients: { icon: EYE, text: "Your clients can see this" },
  invoice: {
    icon: EYE,
    text: "Your client sees this, and so does anyone with the invoice's link",
  },
  report: {
    icon: EYE,
    text: "Your client sees this, and so does anyone with the report's link",
  },
  report_and_invoice: {
    icon: EYE,
    text: "Your client sees this in the report and on the invoice, and so does anyone with their links",
  },
  links: {
    icon: EYE,
    text: "Your clients see this, and so does anyone with a link you share",
  },
  walk: { icon: LOCK, text: "Only you see this until you share it" },
  sitter: { icon: LOCK, text: "Only you see this" },
} as const;

/** Readers of a field beside the sitter who fills it in. */
type Reader = keyof typeof READS;

/** The readers that the marks of a form distinguish. */
const MARKED = ["client", "sitter"] as const;

export const ReaderMark = ({ reader }: { reader: Reader }) => (
  <>
    {READS[reader].icon}
    <span className="sr-only">{READS[reader].text}</span>
  </>
);

interface ReaderHintProps {
  reader: Reader;
  /** Sentence in place of the usual one, where it is known who they are. */
  says?: string;
  /** Rest of the hint; stands above. */
  children?: ReactNode;
}

/** Hint of a field in a form without marks. */
export const ReaderHint = ({ reader, says = READS[reader].text, children }: ReaderHintProps) => (
  <>
    {children && <span className="block">{children} </span>}
    <span className="flex items-start gap-1.5 [&>svg]:mt-0.5">
      {READS[reader].icon}
      <span className="min-w-0 wrap-anywhere">{says}</span>
    </span>
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
      {MARKED.map((reader) => (
        <li key={reader} className="inline-flex items-center gap-1.5">
          {READS[reader].icon} {READS[reader].text}
        </li>
      ))}
    </ul>
  );
}
