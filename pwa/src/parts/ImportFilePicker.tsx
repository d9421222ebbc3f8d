/** Owns picking a file to import, by the phone's picker or dropped from elsewhere. */
import { FileUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Banner, cx } from "../ui";
import { FileButton } from "../ui/FileButton";

interface ImportFilePickerProps {
  /** Endings and types of files: some phones know the ones, some the others. */
  accept: string;
  /** Reads the file; returns why it cannot be taken. */
  read: (bytes: Uint8Array, name: string) => string | undefined;
  intro: string;
  hint: ReactNode;
}

export function ImportFilePicker({ accept, read, intro, hint }: ImportFilePickerProps) {
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      setProblem(read(new Uint8Array(await file.arrayBuffer()), file.name));
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
      <p className="text-pretty">{intro}</p>
      <FileButton icon={<FileUp aria-hidden />} accept={accept} disabled={false} onFile={take}>
        Choose a file
      </FileButton>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      <p className="text-14 wrap-anywhere text-ink-2 text-pretty">
        <span className="max-md:hidden">You can also drop it here. </span>
        {hint}
      </p>
    </div>
  );
}
