/** Owns saving all that the server has of an account as one file: a sitter's business, or what a pet parent is shown. */
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { download, givenToBrowser } from "../../browser/download";
import { dayOf } from "../../data";
import { fetchArchive } from "../../data/account/ownData";
import type { Sink } from "../../data/saveStream";
import { Banner, Button, ProgressBar, Spinner, toast } from "../../ui";
import { sizeText } from "./sizeText";

type SavePicker = (options: { suggestedName: string }) => Promise<{ createWritable: () => Promise<Sink> }>;

interface Progress {
  bytes: number;
  /** How much it will be, where that is known; 0 where not. */
  about: number;
}

function progressText({ bytes, about }: Progress): string {
  if (about > 0) return `${sizeText(bytes)} of about ${sizeText(about)}`;
  return bytes > 0 ? `${sizeText(bytes)} so far` : "The archive is being made.";
}

interface ExportEverythingProps {
  /** The call that makes the archive. */
  path: "/export" | "/client/export";
  isReachable: boolean;
}

export function ExportEverything({ path, isReachable }: ExportEverythingProps) {
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  const cancel = useRef<AbortController>(undefined);

  const exportAll = async () => {
    setProblem(undefined);
    const name = `walkies-${dayOf(Date.now())}.zip`;
    let to: Sink | undefined;
    const { showSaveFilePicker } = window as unknown as { showSaveFilePicker?: SavePicker };
    if (showSaveFilePicker) {
      try {
        to = await (await showSaveFilePicker({ suggestedName: name })).createWritable();
      } catch (error) {
        // Nobody wants a file who chooses no place for it.
        if (error instanceof DOMException && error.name === "AbortError") return;
      }
    }
    const controller = new AbortController();
    cancel.current = controller;
    setProgress({ bytes: 0, about: 0 });
    const onProgress = (bytes: number, about: number) => setProgress({ bytes, about });
    const answer = await fetchArchive(path, { to, onProgress, signal: controller.signal });
    setProgress(undefined);
    if (controller.signal.aborted) return;
    if (!answer.ok) return setProblem(`The archive could not be made. ${answer.error.text}`);
    if (answer.value) {
      download(answer.value, name);
      toast.success(givenToBrowser(name));
    } else toast.success(`${name} saved`);
  };

  if (progress) {
    return (
      <div className="grid gap-2">
        {progress.about > 0 && <ProgressBar label="Archive" value={progress.bytes} max={progress.about} />}
        <p className="num flex items-center gap-2 text-14 text-ink-2">
          {progress.about === 0 && <Spinner label="Archive" />}
          {progressText(progress)}
        </p>
        <Button kind="quiet" onClick={() => cancel.current?.abort()}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <>
      <Button
        kind="quiet"
        icon={<Download aria-hidden className="size-5" />}
        disabled={!isReachable}
        onClick={() => void exportAll()}
      >
        Export everything
      </Button>
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
    </>
  );
}
