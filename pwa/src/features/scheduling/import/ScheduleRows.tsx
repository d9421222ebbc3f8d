/** Owns the series that would come of a file: each in a sentence, or with the cells that are to be corrected. */
import { Repeat } from "lucide-react";
import { useDeferredValue, useId, useMemo, useState } from "react";
import { type ImportedSeries, previewSchedule, type ScheduleColumn, type Table } from "../../../core/import";
import { business, type Draft, flushDrafts, save, useRead, useReplica } from "../../../data";
import { Banner, Button, Card, Checkbox, Chip, Form, Select, SubmitButton, TextField } from "../../../ui";
import { withWaits } from "../series/saveSeries";
import { type BookedSeries, countSeries, NO_FILE, type ScheduleDraft, toCommand } from "./scheduleDraft";

const COLUMNS: { value: ScheduleColumn; label: string }[] = [
  { value: "client", label: "Client" },
  { value: "pets", label: "Pets" },
  { value: "days", label: "Days" },
  { value: "time", label: "Time" },
  { value: "minutes", label: "Minutes" },
  { value: "service", label: "Service" },
  { value: "start", label: "Start" },
  { value: "end", label: "End" },
  { value: "notes", label: "Notes for you" },
  { value: "other", label: "Leave out" },
];

interface ScheduleRowsProps {
  draft: Draft<ScheduleDraft>;
  table: Table;
  /** Called for each series as soon as it is saved, with the revision that the person had seen. */
  onBooked: (series: BookedSeries, base_rev: number) => void;
}

export function ScheduleRows({ draft, table, onBooked }: ScheduleRowsProps) {
  const { columns, file, left_out } = draft.value;
  const title = useId();
  const known = useRead((phone) => phone.bookableNames());
  const today = useReplica((phone) => phone.today(Date.now()));
  const preview = useDeferredValue(
    useMemo(() => previewSchedule({ table, columns, known, today }), [table, columns, known, today]),
  );
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map());
  const [progress, setProgress] = useState("");
  // A cell that is being corrected stays there when it is right.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const ready = preview.rows.filter((it) => it.plan && !left_out.includes(it.row));

  const send = async () => {
    const base_rev = business().phone.cursor();
    const failed = new Map<number, string>();
    try {
      for (const [place, row] of ready.entries()) {
        if (!row.plan) continue;
        setProgress(`Booking ${place + 1} of ${ready.length}`);
        // Each meets what those before it have booked.
        const result = await book(row);
        if (!result.ok) {
          failed.set(row.row, result.text);
          continue;
        }
        onBooked({ id: result.id, taken: result.taken }, base_rev);
        draft.update((latest) => withoutRow(latest, row.row));
        // A reload in the middle must neither book this row again nor lose its undo.
        await flushDrafts();
      }
    } finally {
      setProgress("");
      setRefused(failed);
    }
    return failed.size > 0 ? { text: `${countSeries(failed.size)} could not be booked: see below.` } : undefined;
  };
  const setCell = (number: number, column: number, text: string) => {
    setTouched((before) => new Set([...before, `${number}.${column}`]));
    draft.update(({ table }) => {
      const rows = table?.rows.map((row) =>
        row.number === number ? { ...row, cells: row.cells.map((it, place) => (place === column ? text : it)) } : row,
      );
      return table && rows ? { table: { ...table, rows } } : {};
    });
  };
  const setOut = (number: number, isIn: boolean) =>
    draft.set({ left_out: [...left_out.filter((it) => it !== number), ...(isIn ? [] : [number])] });
  return (
    <Form onSubmit={send} failed="Failed to book the series" aria-labelledby={title}>
      <div>
        <h2 id={title} className="text-20 font-bold">
          {preview.problem ? "What is in the columns?" : `${countSeries(ready.length)} to book`}
        </h2>
        <p className="num text-14 text-ink-2 wrap-anywhere">
          <bdi>{file}</bdi>
          {preview.n_wrong > 0 && `, ${preview.n_wrong} with problems`}
        </p>
      </div>
      {preview.problem && <Banner role="status">{preview.problem}</Banner>}
      {preview.notices.map((it) => (
        <Banner key={it}>{it}</Banner>
      ))}
      <Columns draft={draft} table={table} isOpen={preview.problem !== null} />
      <ul className="grid gap-3" aria-label="Series">
        {preview.rows.map((it) => (
          <li key={it.row}>
            <RowCard
              row={it}
              table={table}
              touched={touched}
              isIn={!left_out.includes(it.row)}
              refused={refused.get(it.row)}
              onCell={(column, text) => setCell(it.row, column, text)}
              onIn={(isIn) => setOut(it.row, isIn)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="num text-14 text-ink-2">
        {progress}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="quiet" onClick={draft.clear}>
          Another file
        </Button>
        <SubmitButton disabled={ready.length === 0}>Book {countSeries(ready.length)}</SubmitButton>
      </div>
    </Form>
  );
}

/** Returns the draft without a row that is booked; the others stay with all of their cells. */
function withoutRow({ table }: ScheduleDraft, number: number): Partial<ScheduleDraft> {
  const rows = table?.rows.filter((it) => it.number !== number) ?? [];
  return table && rows.length > 0 ? { table: { ...table, rows } } : NO_FILE;
}

type BookedRow = { ok: true; id: string; taken: number } | { ok: false; text: string };

/** Books a row; dates that are taken wait for a decision. */
async function book({ plan, sentence }: ImportedSeries): Promise<BookedRow> {
  if (!plan) return { ok: false, text: "Something is still wrong with it." };
  const phone = await business().wholePhone();
  const command = toCommand(plan);
  const preview = phone.previewSeries(command, Date.now());
  const [first] = preview.errors;
  if (preview.problem) return { ok: false, text: first?.text ?? preview.problem };
  const result = await save(withWaits(command, preview), `Book: ${sentence}`);
  if (!result.ok) return { ok: false, text: result.text };
  return { ok: true, id: command.args.id, taken: preview.taken };
}

/** The choice of a meaning for each column; open where one is missing. */
function Columns({ draft, table, isOpen }: { draft: Draft<ScheduleDraft>; table: Table; isOpen: boolean }) {
  const { columns } = draft.value;
  const choose = (place: number, value: ScheduleColumn) =>
    draft.set({
      // A meaning is that of one column.
      columns: columns.map((it, other) => (other === place ? value : it === value && value !== "other" ? "other" : it)),
    });
  return (
    <details open={isOpen || undefined} className="rounded-large border border-line bg-card">
      <summary className="min-h-12 cursor-pointer px-4 py-3 font-medium">Columns</summary>
      <ul className="grid gap-3 p-4 pt-0 md:grid-cols-2">
        {table.header.map((name, place) => (
          // The columns of a file stay where they are.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place}>
            <Select
              name={`columns.${place}`}
              label={<bdi>{name || `Column ${place + 1}`}</bdi>}
              value={columns[place] ?? "other"}
              options={COLUMNS}
              onChange={(value) => choose(place, value)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface RowCardProps {
  row: ImportedSeries;
  table: Table;
  /** The cells that were corrected, as `row.column`. */
  touched: ReadonlySet<string>;
  isIn: boolean;
  refused: string | undefined;
  onCell: (column: number, text: string) => void;
  onIn: (isIn: boolean) => void;
}

function RowCard({ row, table, touched, isIn, refused, onCell, onIn }: RowCardProps) {
  const cells = table.rows.find((it) => it.number === row.row)?.cells ?? [];
  // A cell can have several problems, and is corrected once.
  const wrong = new Map<number, string[]>();
  const others: string[] = [];
  for (const { column, text } of row.problems) {
    if (column === null || column === undefined) others.push(text);
    else wrong.set(column, [...(wrong.get(column) ?? []), text]);
  }
  for (const column of cells.keys()) {
    if (touched.has(`${row.row}.${column}`) && !wrong.has(column)) wrong.set(column, []);
  }
  const said = cells.filter(Boolean).join(" · ");
  return (
    <Card className="grid gap-2">
      <p className="num flex flex-wrap items-start gap-2">
        <Repeat aria-hidden className="mt-1 size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">{row.sentence || said}</span>
        <Chip>Row {row.row}</Chip>
      </p>
      {row.unread.length > 0 && (
        <p className="text-14 text-ink-2 wrap-anywhere">Not imported: {row.unread.join(" · ")}</p>
      )}
      {[...others, ...(refused ? [refused] : [])].map((it) => (
        <p key={it} className="text-14 text-danger wrap-anywhere">
          {it}
        </p>
      ))}
      {[...wrong].map(([column, texts]) => (
        <TextField
          reader="none"
          key={column}
          name={`rows.${row.row}.${column}`}
          label={`${table.header[column] || `Column ${column + 1}`}, row ${row.row}`}
          error={texts.join(" ") || undefined}
          value={cells[column] ?? ""}
          onChange={(text) => onCell(column, text)}
        />
      ))}
      {row.plan && (
        <Checkbox name={`in.${row.row}`} label="Book it" checked={isIn} onChange={(checked) => onIn(checked)} />
      )}
    </Card>
  );
}
