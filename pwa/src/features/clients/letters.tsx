/** Owns reading a file of clients, with the question how its letters are read where its bytes do not tell. */
import { type ReactNode, useId, useState } from "react";
import { type ImportFile, type Reading, readImport } from "../../core/import";
import { Button, Card } from "../../ui";

/** Endings and types of the files that can be read: some phones know the ones, some the others. */
export const ACCEPT = ".csv,.tsv,.txt,.vcf,text/csv,text/vcard,text/x-vcard,text/plain";

interface Asked {
  bytes: Uint8Array;
  file: string;
  readings: readonly Reading[];
}

interface Letters {
  /** Reads a file; returns why it cannot be taken. */
  read: (bytes: Uint8Array, file: string) => string | undefined;
  /** The question that is open. */
  question: ReactNode;
}

/** Reads files, and calls `onRead` with each once it is known how its letters are read. */
export function useLetters(onRead: (read: ImportFile, file: string) => void): Letters {
  const [asked, setAsked] = useState<Asked>();
  const read = (bytes: Uint8Array, file: string) => {
    const found = readImport(bytes);
    if (found.status === "rejected") return found.error.text;
    const { readings } = found.value;
    if (readings.length > 1) setAsked({ bytes, file, readings });
    else onRead(found.value, file);
    return undefined;
  };
  const answer = ({ encoding }: Reading) => {
    if (!asked) return;
    const found = readImport(asked.bytes, encoding);
    setAsked(undefined);
    if (found.status === "ok") onRead(found.value, asked.file);
  };
  const cancel = () => setAsked(undefined);
  return { read, question: asked && <LettersQuestion {...asked} onAnswer={answer} onCancel={cancel} /> };
}

interface LettersQuestionProps extends Asked {
  onAnswer: (reading: Reading) => void;
  onCancel: () => void;
}

function LettersQuestion({ file, readings, onAnswer, onCancel }: LettersQuestionProps) {
  const title = useId();
  return (
    <section aria-labelledby={title} className="grid gap-3">
      <h2 id={title} className="text-20 font-bold">
        Which line is right?
      </h2>
      <p className="text-ink-2 wrap-anywhere">
        <bdi>{file}</bdi> does not say how its letters are to be read.
      </p>
      <ul className="grid gap-3">
        {readings.map((it) => (
          <li key={it.encoding}>
            <Card className="grid justify-items-start gap-2">
              <p className="font-medium wrap-anywhere">
                <bdi>{it.sample}</bdi>
              </p>
              <p className="text-14 text-ink-2">{it.label}</p>
              <Button kind="quiet" onClick={() => onAnswer(it)}>
                This is right
                <span className="sr-only">: {it.sample}</span>
              </Button>
            </Card>
          </li>
        ))}
      </ul>
      <div>
        <Button kind="plain" onClick={onCancel}>
          Another file
        </Button>
      </div>
    </section>
  );
}
