/**
 * Owns the words that say who reads a field beside the person who fills it in; who that is, is the core's. A form with many
 * fields has a mark beside each label and a key to the marks. A form with few texts has a line below each.
 */
import { Eye, Link2, Lock } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { fieldReader, type Reader, readerOf, type WrittenField } from "../core";
import { cx } from "./cx";
import { type MarkOf, MarksContext } from "./Field";

const EYE = <Eye aria-hidden className="size-4 shrink-0" />;
const LINK = <Link2 aria-hidden className="size-4 shrink-0" />;
const LOCK = <Lock aria-hidden className="size-4 shrink-0" />;

/** Readers of a field, with those of words that go to a report and an invoice alike. */
type SaidReader = Reader | "report_and_invoice";

const READS: Record<SaidReader, { icon: ReactNode; text: string }> = {
  client: { icon: EYE, text: "Your client sees this in the portal" },
  message: { icon: EYE, text: "Your client reads this" },
  clients: { icon: EYE, text: "Your clients can see this" },
  invoice: {
    icon: LINK,
    text: "Your client sees this, and so does anyone with the invoice's link",
  },
  report: {
    icon: LINK,
    text: "Your client sees this, and so does anyone with the report's link",
  },
  report_and_invoice: {
    icon: LINK,
    text: "Your client sees this in the report and on the invoice, and so does anyone with their links",
  },
  links: {
    icon: LINK,
    text: "Your client sees this, and so does anyone with a link you share",
  },
  business: {
    icon: LINK,
    text: "Your clients see this, and so does anyone with a link you share",
  },
  walk: { icon: LOCK, text: "Only you see this until you share it" },
  sitter: { icon: LOCK, text: "Only you see this" },
};

/** Words in place of the usual ones, as for pet parents. */
export type ReaderWords = Partial<Record<SaidReader, string>>;

const WordsContext = createContext<ReaderWords>({});

/** Says who reads the fields in it with these words. */
export const ReaderWordsProvider = ({ words, children }: { words: ReaderWords; children: ReactNode }) => (
  <WordsContext value={words}>{children}</WordsContext>
);

const useWords = () => {
  const words = use(WordsContext);
  return (reader: SaidReader): string => words[reader] ?? READS[reader].text;
};

/** The readers that the marks of a form distinguish. */
type MarkedReader = "client" | "links" | "sitter";

/** The marks of a sitter's form. */
const MARKED: readonly MarkedReader[] = ["client", "links", "sitter"];

export function ReaderMark({ reader }: { reader: SaidReader }) {
  const text = useWords()(reader);
  return (
    <>
      {READS[reader].icon}
      <span className="sr-only">{text}</span>
    </>
  );
}

interface ReaderHintProps {
  reader: SaidReader;
  /** Sentence in place of the usual one, where it is known who they are. */
  says?: string | undefined;
  /** Rest of the hint; stands above. */
  children?: ReactNode;
}

/** Hint of a field in a form without marks. */
export function ReaderHint({ reader, says, children }: ReaderHintProps) {
  const usual = useWords()(reader);
  return (
    <>
      {children && <span className="block">{children} </span>}
      <span className="flex items-start gap-1.5 [&>svg]:mt-0.5">
        {READS[reader].icon}
        <span className="min-w-0 wrap-anywhere">{says ?? usual}</span>
      </span>
    </>
  );
}

/**
 * Readers of a text or a photo: the field of the core's list; what depends on the moment; `group` where the group of fields
 * says it; or `none` where nothing that is typed is kept for anybody to read, as with passwords and codes.
 */
export type ReadBy = WrittenField | Pick<ReaderHintProps, "reader" | "says"> | "group" | "none";

/** Returns hint and mark of a field: in a form with marks the mark says who reads it, else a line of the hint. */
export function useReadBy(by: ReadBy, hint: ReactNode): { hint: ReactNode; mark: ReactNode } {
  const isMarked = use(MarksContext) !== undefined;
  if (by === "none" || by === "group") return { hint, mark: null };
  const { reader, says } = typeof by === "string" ? { reader: fieldReader(by), says: undefined } : by;
  if (isMarked && says === undefined) return { hint, mark: <ReaderMark reader={reader} /> };
  return {
    hint: (
      <ReaderHint reader={reader} says={says}>
        {hint}
      </ReaderHint>
    ),
    mark: null,
  };
}

const markOf: MarkOf = (name) => <ReaderMark reader={readerOf(name)} />;

/** Marks the fields in it: texts by the core's list, choices and numbers by their names unless `of` says otherwise. */
export const Readers = ({ of = markOf, children }: { of?: MarkOf; children: ReactNode }) => (
  <MarksContext value={of}>{children}</MarksContext>
);

/** Key to the marks: once in a form. */
export function ReadersKey({ marks = MARKED, className }: { marks?: readonly MarkedReader[]; className?: string }) {
  const says = useWords();
  return (
    <ul aria-label="Who reads what" className={cx("flex flex-wrap gap-x-4 gap-y-1 text-14 text-ink-2", className)}>
      {marks.map((reader) => (
        <li key={reader} className="inline-flex min-w-0 items-center gap-1.5">
          {READS[reader].icon} <span className="min-w-0 wrap-anywhere">{says(reader)}</span>
        </li>
      ))}
    </ul>
  );
}
