/** Owns storing documents, looking at them again and removing them; nobody but their owner sees them. */
import { Camera, FileText, FileUp, Lock, Trash2 } from "lucide-react";
import { useState } from "react";
import { download } from "../../browser/download";
import type { DocumentAnswer } from "../../core";
import { fetchDocument, removeDocument, storeDocument } from "../../data/account/documents";
import { PHOTOS } from "../../parts/PhotoPicker";
import { RelativeTime } from "../../parts/RelativeTime";
import { Banner, Button, confirm, IconButton, Skeleton, Spinner, toast, useBusy } from "../../ui";
import { FileButton } from "../../ui/FileButton";
import { StepButtons } from "./StepButtons";
import type { Documents } from "./useDocuments";

interface DocumentsStepProps {
  documents: Documents;
  onBack: () => void;
  onDone: () => void;
}

export function DocumentsStep({ documents, onBack, onDone }: DocumentsStepProps) {
  const { list, problem, isReachable, reload } = documents;
  const hasSome = (list?.length ?? 0) > 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="flex gap-2 text-14 text-ink-2 text-pretty">
        <Lock aria-hidden className="size-5 shrink-0" />
        Stored on your server for you alone. Clients do not see them, and they go with your account.
      </p>
      {!isReachable && (
        <p role="status" className="text-14 text-ink-2">
          You need a connection to store documents. Skip this step for now and come back to it later.
        </p>
      )}
      {isReachable && problem !== undefined && (
        <Banner
          kind="danger"
          role="alert"
          action={
            <button type="button" onClick={() => void reload()}>
              Try Again
            </button>
          }
        >
          {problem}
        </Banner>
      )}
      {isReachable && !list && problem === undefined && <Skeleton className="h-14 w-full" />}
      {list && hasSome && (
        <ul aria-label="Your documents" className="grid">
          {list.map((it) => (
            <DocumentRow key={it.id} document={it} reload={reload} />
          ))}
        </ul>
      )}
      {isReachable && <Store reload={reload} />}
      <StepButtons onBack={onBack}>
        <Button onClick={onDone}>{hasSome ? "Next" : "Skip"}</Button>
      </StepButtons>
    </div>
  );
}

function Store({ reload }: { reload: () => Promise<void> }) {
  const { busy, run } = useBusy();
  const [problem, setProblem] = useState<string>();
  const store = async (file: File | undefined) => {
    if (!file) return;
    const why = await storeDocument(file);
    setProblem(why);
    if (why !== undefined) return;
    toast.success("Document stored");
    await reload();
  };
  const choose = (file: File | undefined) => run(() => store(file));
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          icon={<Camera aria-hidden />}
          accept={PHOTOS}
          capture
          className="md:hidden"
          onFile={choose}
          disabled={busy}
        >
          Take photo
        </FileButton>
        <FileButton
          icon={<FileUp aria-hidden />}
          accept={`application/pdf,.pdf,${PHOTOS}`}
          onFile={choose}
          disabled={busy}
        >
          Choose a file
        </FileButton>
        {busy && <Spinner label="Storing the document" />}
      </div>
      {problem ? (
        <p role="alert" className="text-14 font-medium text-danger">
          {problem}
        </p>
      ) : (
        <p className="text-14 text-ink-2">PDF, JPEG, PNG or HEIC.</p>
      )}
    </div>
  );
}

const KB = 1024;

const sizeOf = (bytes: number): string =>
  bytes < KB * KB ? `${Math.max(1, Math.round(bytes / KB))} kB` : `${(bytes / KB / KB).toFixed(1)} MB`;

interface DocumentRowProps {
  document: DocumentAnswer;
  reload: () => Promise<void>;
}

function DocumentRow({ document, reload }: DocumentRowProps) {
  const { id, media_type, size_bytes, created_at } = document;
  const name = document.name || "Document";
  const { busy, run } = useBusy();
  const open = async () => {
    const answer = await fetchDocument(id);
    if (answer.ok) download(answer.value, fileName(name, media_type));
    else toast.error(`The document could not be loaded. ${answer.error.text}`);
  };
  const remove = async () => {
    const question = {
      title: `Delete ${name}?`,
      text: "It is removed from the server for good.",
      action: "Delete",
      danger: true,
    };
    if (!(await confirm(question))) return;
    const answer = await removeDocument(id);
    if (answer.ok) toast.success("Document deleted");
    else toast.error(answer.error.text);
    await reload();
  };
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0">
      <FileText aria-hidden className="size-5 shrink-0 text-ink-2" />
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="num text-14 text-ink-2">
          {sizeOf(size_bytes)} · <RelativeTime at={created_at} />
        </p>
      </div>
      <div className="flex items-center">
        <Button kind="plain" busy={busy} aria-label={`Download ${name}`} onClick={() => void run(open)}>
          Download
        </Button>
        <IconButton label={`Delete ${name}`} onClick={() => void remove()}>
          <Trash2 />
        </IconButton>
      </div>
    </li>
  );
}

/** As it was called, with the ending of what it is now: pictures are kept as JPEG. */
function fileName(name: string, mediaType: string): string {
  const ending = mediaType === "application/pdf" ? ".pdf" : ".jpg";
  return name.toLowerCase().endsWith(ending) ? name : `${name.replace(/\.[A-Za-z0-9]{1,5}$/, "")}${ending}`;
}
