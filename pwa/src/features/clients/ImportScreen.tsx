/**
 * Owns the import of clients from a file: picking it, what its columns are, what would come of it, and what came. Nothing of
 * it leaves this phone before it is imported, and all of it works without a network.
 */
import { ArrowLeft } from "lucide-react";
import { type ReactNode, Suspense, use, useState } from "react";
import { Link } from "wouter";
import { loadImportCore } from "../../core/import";
import { type Draft, flushDrafts, useDraft, useReplica } from "../../data";
import { ImportFilePicker } from "../../parts/ImportFilePicker";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { ErrorBoundary, LoadFailure, PageBody, PageHeader, SkeletonCards } from "../../ui";
import { useFromTheTop } from "../../ui/useFromTheTop";
import { ImportColumns } from "./ImportColumns";
import { ImportDone } from "./ImportDone";
import { ImportedClients } from "./ImportedClients";
import { DONE_DRAFT, DRAFT, type ImportDraft, type Imported, NO_FILE, NOBODY } from "./importDraft";
import { ACCEPT, useLetters } from "./letters";

const FAILED = "Failed to load the import";

export default function ImportScreen() {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  return (
    <>
      <PageHeader
        title="Import clients"
        sub={
          <Link to="/clients" className="hit inline-flex items-center gap-1 font-medium">
            <ArrowLeft aria-hidden className="size-4" /> All clients
          </Link>
        }
      />
      <PageBody className="max-w-220">
        <ErrorBoundary fallback={(retry) => <LoadFailure onRetry={retry}>{FAILED}</LoadFailure>}>
          <Suspense fallback={<SkeletonCards label="Loading the import" />}>
            {/* Who is there already must be known before anybody is imported. */}
            {hasLoaded ? (
              <Stages />
            ) : (
              <LoadingOrFailure label="Loading clients" failure={(why) => `${FAILED}: ${why}`} />
            )}
          </Suspense>
        </ErrorBoundary>
      </PageBody>
    </>
  );
}

function Stages(): ReactNode {
  use(loadImportCore());
  const draft = useDraft(DRAFT, NO_FILE);
  const done = useDraft<Imported>(DONE_DRAFT, NOBODY);
  if (!draft.ready || !done.ready) return <SkeletonCards label="Loading the import" />;
  return <Stage draft={draft} done={done} />;
}

interface StageProps {
  draft: Draft<ImportDraft>;
  done: Draft<Imported>;
}

/** The one that is under way, from the top of the page: the list before it may have been long. */
function Stage({ draft, done }: StageProps) {
  const { table, step } = draft.value;
  const [isImporting, setImporting] = useState(false);
  const stage = done.value.ids.length > 0 && !isImporting ? "done" : table ? step : "file";
  const box = useFromTheTop(stage);
  const came = (ids: readonly string[]) => {
    setImporting(true);
    done.update((it) => ({ ids: [...it.ids, ...ids], pieces: [...(it.pieces ?? []), ids.length] }));
    return flushDrafts();
  };
  const end = (isAll: boolean) => {
    setImporting(false);
    if (isAll) draft.clear();
  };
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-100 outline-none">
      {stage === "done" && <ImportDone draft={done} />}
      {stage === "file" && <Picker draft={draft} />}
      {table && stage === "columns" && <ImportColumns draft={draft} table={table} />}
      {table && stage === "clients" && <ImportedClients draft={draft} table={table} onPiece={came} onEnd={end} />}
    </div>
  );
}

function Picker({ draft }: { draft: Draft<ImportDraft> }) {
  const { read, question } = useLetters(({ table, columns }, file) => draft.set({ ...NO_FILE, table, columns, file }));
  const box = useFromTheTop(Boolean(question));
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-100 outline-none">
      {question || (
        <ImportFilePicker
          accept={ACCEPT}
          read={read}
          intro="Bring your clients and their pets from another program, a spreadsheet or an address book: export them as a CSV file or as vCards, and choose that file."
          hint="You see everything before it is imported, and can correct it. It can be undone afterwards."
        />
      )}
    </div>
  );
}
