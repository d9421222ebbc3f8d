/** Owns picking a file of clients, by the phone's picker or dropped from elsewhere. */
import { FileUp } from "lucide-react";
import { useState } from "react";
import { readImport } from "../../core/import";
import type { Draft } from "../../data";
import { Banner, cx } from "../../ui";
import { FileButton } from "../../ui/FileButton";
import { type ImportDraft, NO_FILE } from "./importDraft";

/** Some phones know the endings alone, others the types. */
const ACCEPTED = ".csv,.tsv,.txt,.vcf,text/csv,text/vcard,text/x-vcard,text/plain";

export function ImportFilePicker({ draft }: { draft: Draft<ImportDraft> }) {
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      const read = readImport(new Uint8Array(await file.arrayBuffer()));
      if (read.status === "rejected") setProblem(read.error.text);
      else draft.set({ ...NO_FILE, ...read.value, file: file.name });
    } catch {
      setProblem("This file cannot be read here. Save it on this device, and choose it again.");
    }
  };
  return (
    <div
      className={cx(
        "grid justify-items-start gap-4 rounded-large border border-dashed p-5",
        isOver ? "border-act bg-sunken" : "border-edge",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <p className="text-pretty">
        Bring your clients and their pets from another program, a spreadsheet or an address book: export them as a CSV
        file or as vCards, and choose that file.
      </p>
      <FileButton icon={<FileUp aria-hidden />} accept={ACCEPTED} disabled={false} onFile={take}>
        Choose a file
      </FileButton>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      <p className="text-14 text-ink-2 text-pretty">
        <span className="max-md:hidden">You can also drop it here. </span>
        You see everything before it is imported, and can correct it. It can be undone afterwards.
      </p>
    </div>
  );
}
