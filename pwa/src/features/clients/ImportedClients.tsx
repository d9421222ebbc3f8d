/** Owns what would come of a file: who is imported and who is not and why, with the cells that are to be corrected. */
import { useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { type DateAnswer, type ImportedClient, type Preview, previewImport, type Table } from "../../core/import";
import { type Draft, save, storageTrouble, useRead, useReplica } from "../../data";
import { explainLimit } from "../../parts/plan/explainLimit";
import { Banner, Button, confirm, Form, type FormProblem, Segmented, SubmitButton, toast } from "../../ui";
import { ImportDates } from "./ImportDates";
import { ImportedClientCard } from "./ImportedClientCard";
import {
  counted,
  DRAFT,
  type ImportCommand,
  type ImportDraft,
  inPieces,
  toCommand,
  withCell,
  withNumber,
} from "./importDraft";
import { KeptColumns } from "./KeptColumns";

interface ImportedClientsProps {
  draft: Draft<ImportDraft>;
  table: Table;
  /** Called with the ids of the clients of each change as soon as it is saved: an interrupted import can be undone. */
  onPiece: (ids: readonly string[]) => Promise<void>;
  /** Called after the last piece that could be saved, with `false` if others are left. */
  onEnd: (isAll: boolean) => void;
}

/** The clients of the file that are shown. */
type Filter = "all" | "wrong" | "known";

export function ImportedClients({ draft, table, onPiece, onEnd }: ImportedClientsProps) {
  const { columns } = draft.value;
  const found = useDeferredValue(usePreview(draft.value, table));
  const back = () => draft.set({ step: "columns" });
  if (found.status === "rejected") {
    return (
      <div className="grid justify-items-start gap-4">
        <Banner kind="danger" role="alert">
          {found.error.text}
        </Banner>
        <Button kind="quiet" onClick={draft.clear}>
          Another file
        </Button>
      </div>
    );
  }
  return (
    <Shown
      draft={draft}
      table={table}
      columns={columns}
      preview={found.value}
      onBack={back}
      onPiece={onPiece}
      onEnd={onEnd}
    />
  );
}

const NO_DATES: DateAnswer[] = [];

function usePreview({ columns, added, left_out, dates = NO_DATES }: ImportDraft, table: Table) {
  const known = useRead((phone) => phone.knownClients());
  const today = useReplica((phone) => phone.today(Date.now()));
  return useMemo(
    () => previewImport({ table, columns, known, choice: { added, left_out, dates }, today }),
    [table, columns, known, added, left_out, dates, today],
  );
}

interface ShownProps extends ImportedClientsProps {
  columns: readonly string[];
  preview: Preview;
  onBack: () => void;
}

function Shown({ draft, table, columns, preview, onBack, onPiece, onEnd }: ShownProps) {
  const title = useId();
  const [, navigate] = useLocation();
  const { clients, n_clients, n_dogs, n_wrong, n_known, n_drafts, notices, pieces } = preview;
  const { cell, setCell, choose, touched, forget } = useCells(draft, table);
  const [filter, setFilter] = useState<Filter>("all");
  const room = useReplica((phone) => phone.noRoomFor(n_clients, n_dogs, Date.now()));
  // Who was just corrected stays in sight, until others are asked for.
  const isShown = (it: ImportedClient) =>
    filter === "all" || (filter === "known" ? it.known !== null : it.state === "wrong" || touched.has(it.rows[0] ?? 0));
  const show = (it: Filter) => {
    forget();
    setFilter(it);
  };
  /** Saves one change; returns why it cannot be saved. */
  const sendPiece = async (command: ImportCommand, isLast: boolean): Promise<string | undefined> => {
    const sentence = `Import ${counted(command.args.clients.length, "client")}`;
    try {
      const result = await save(command, sentence, isLast ? { draft: DRAFT } : {});
      if (result.ok) return undefined;
      if (result.refusal.code === "limit_reached") await explainLimit(result.refusal.what, navigate);
      return result.text;
    } catch (error) {
      return storageTrouble(error);
    }
  };
  const send = async (): Promise<FormProblem | void> => {
    const open = preview.dates.find((it) => it.is_day_first === null || it.is_day_first === undefined);
    if (open) return { text: `Choose first how the dates of “${open.name}” are read.` };
    if (n_wrong > 0 && !(await confirm(leftOut(n_wrong, n_clients)))) return undefined;
    const ready = inPieces(
      clients.filter((it) => it.state === "ready"),
      pieces,
    );
    let n_imported = 0;
    for (const [place, piece] of ready.entries()) {
      const command = toCommand(piece);
      const isLast = place === ready.length - 1;
      // oxlint-disable-next-line no-await-in-loop
      const problem = await sendPiece(command, isLast);
      if (problem !== undefined) {
        if (n_imported === 0) return { text: problem };
        // The others are there when the person comes back from what is said of these.
        toast.error(`${counted(n_clients - n_imported, "client")} not imported yet: ${problem}`);
        onEnd(false);
        return undefined;
      }
      n_imported += piece.length;
      // A reload in the middle brings nobody twice.
      if (!isLast)
        draft.set({
          left_out: [
            ...draft.value.left_out,
            ...ready
              .slice(0, place + 1)
              .flat()
              .map(first),
          ],
        });
      // oxlint-disable-next-line no-await-in-loop
      await onPiece(command.args.clients.map((it) => it.id));
    }
    onEnd(true);
    return undefined;
  };
  const listed = clients.filter(isShown);
  return (
    <Form aria-labelledby={title} onSubmit={send} failed="Failed to import" className="grid gap-4">
      <div>
        <h2 id={title} className="text-20 font-bold">
          {counted(n_clients, "client")} with {counted(n_dogs, "pet")} to import
        </h2>
        <p role="status" className="num text-14 text-ink-2">
          {[
            n_wrong > 0 && `${n_wrong} with a problem`,
            n_known > 0 && `${n_known} here already`,
            n_drafts > 0 && `${n_drafts} without a pet`,
            n_wrong + n_known === 0 && "Everything can be read.",
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      {n_drafts > 0 && (
        <Banner role="status">
          Clients without a pet in the file come without one. Nothing can be booked for them until you name a pet, here
          or later.
        </Banner>
      )}
      <ImportDates draft={draft} questions={preview.dates} />
      <KeptColumns kept={preview.kept} />
      {notices.map((it) => (
        <Banner key={it} role="status">
          {it}
        </Banner>
      ))}
      {room && <Banner role="status">{room} Leave some out.</Banner>}
      <Segmented
        label="Show"
        value={filter}
        onChange={show}
        options={[
          { value: "all", label: `All ${clients.length}` },
          { value: "wrong", label: `With problems ${n_wrong}` },
          { value: "known", label: `Here already ${clients.filter((it) => it.known !== null).length}` },
        ]}
      />
      {/* In sight with whoever is looked at: the list may be long. */}
      <div className="sticky top-0 z-1 flex flex-wrap justify-end gap-3 border-b border-line bg-paper py-3">
        <Button kind="quiet" onClick={onBack}>
          Columns
        </Button>
        <SubmitButton disabled={n_clients === 0}>Import {counted(n_clients, "client")}</SubmitButton>
      </div>
      {listed.length === 0 && <p className="text-ink-2">{NOBODY_LISTED[filter]}</p>}
      <ul aria-label="Clients in the file" className="grid gap-3">
        {listed.map((it) => (
          <li key={it.rows[0]}>
            <ImportedClientCard
              client={it}
              header={table.header}
              columns={columns}
              cell={cell}
              onCell={setCell}
              onChoose={choose}
            />
          </li>
        ))}
      </ul>
    </Form>
  );
}

const first = ({ rows }: ImportedClient): number => rows[0] ?? 0;

const NOBODY_LISTED: Record<Filter, string> = {
  all: "The file has no clients.",
  wrong: "Nobody in the file has a problem.",
  known: "Nobody in the file is here already.",
};

const leftOut = (n_wrong: number, n_clients: number) => ({
  title: `Leave ${counted(n_wrong, "client")} out?`,
  text: `${n_wrong === 1 ? "This client still has a problem" : "These clients still have problems"}. You can import the other ${n_clients === 1 ? "one" : n_clients} now.`,
  action: `Import ${counted(n_clients, "client")}`,
  cancel: "Correct them",
});

/** The cells, by functions that stay the same: three hundred cards are not drawn anew with each letter. */
function useCells(draft: Draft<ImportDraft>, table: Table) {
  const latest = useRef({ draft, table });
  useEffect(() => {
    latest.current = { draft, table };
  }, [draft, table]);
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set());
  const cell = useCallback((row: number, column: number) => {
    const found = latest.current.table.rows.find((it) => it.number === row);
    return found?.cells[column] ?? "";
  }, []);
  const setCell = useCallback((first: number, row: number, column: number, text: string) => {
    const { draft, table } = latest.current;
    const changed = withCell(table, row, column, text);
    latest.current = { draft, table: changed };
    draft.set({ table: changed });
    setTouched((before) => (before.has(first) ? before : new Set([...before, first])));
  }, []);
  const choose = useCallback((client: ImportedClient, isIn: boolean) => {
    const { added, left_out } = latest.current.draft.value;
    const first = client.rows[0] ?? 0;
    if (client.known !== null) latest.current.draft.set({ added: withNumber(added, first, isIn) });
    else latest.current.draft.set({ left_out: withNumber(left_out, first, !isIn) });
  }, []);
  const forget = () => setTouched(new Set());
  return { cell, setCell, choose, touched, forget };
}
