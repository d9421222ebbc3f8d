/** Owns what the columns of a file are: guessed from their names, shown with some of their cells, and chosen. */
import { useId, useMemo } from "react";
import { setApart } from "../../core";
import { columnChoices, type Table, withHeader } from "../../core/import";
import type { Draft } from "../../data";
import { Banner, Button, Card, confirm, Select } from "../../ui";
import { ReaderMark, Readers, ReadersKey } from "../../ui/Readers";
import { ImportJoin } from "./ImportJoin";
import { counted, type ImportDraft } from "./importDraft";

/** So many cells show what a column has. */
const SAMPLES = 3;

export function ImportColumns({ draft, table }: { draft: Draft<ImportDraft>; table: Table }) {
  const { columns, file } = draft.value;
  const title = useId();
  const choices = useMemo(() => columnChoices(columns), [columns]);
  const options = useMemo(() => [{ value: "", label: "Leave out" }, ...choices], [choices]);
  const markOf = (name: string) => {
    const chosen = choices.find((it) => it.value === columns[Number(name.split(".")[1])]);
    return chosen && <ReaderMark reader={chosen.is_private ? "sitter" : "client"} />;
  };
  const choiceOf = (value: string | undefined) => choices.find((it) => it.value === value);
  const choose = async (place: number, value: string) => {
    const isShown = choiceOf(columns[place])?.is_private && choiceOf(value)?.is_shown_text;
    if (isShown && samples(table, place).length > 0 && !(await askToShow(table.header[place] ?? ""))) return;
    draft.set({ columns: columns.map((it, other) => (other === place ? value : it)) });
  };
  return (
    <section aria-labelledby={title} className="grid gap-4">
      <div>
        <h2 id={title} className="text-20 font-bold">
          What is in the columns?
        </h2>
        <p className="text-14 text-ink-2 wrap-anywhere">
          <bdi>{file}</bdi>, {counted(table.rows.length, "row")}
        </p>
      </div>
      {!columns.some((it) => ["name", "first_name", "last_name"].includes(it)) && (
        <Banner role="status">Choose the column that has the clients’ names.</Banner>
      )}
      <HeaderRow draft={draft} table={table} />
      <ImportJoin draft={draft} table={table} />
      <ReadersKey marks={["client", "sitter"]} />
      <Readers of={markOf}>
        <ul className="grid gap-3 md:grid-cols-2">
          {table.header.map((name, place) => (
            // The columns of a file stay where they are.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <Column
                name={name}
                place={place}
                cells={samples(table, place)}
                value={columns[place] ?? ""}
                options={options}
                onChange={(value) => void choose(place, value)}
              />
            </li>
          ))}
        </ul>
      </Readers>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="quiet" onClick={draft.clear}>
          Another file
        </Button>
        <Button onClick={() => draft.set({ step: "clients" })}>Show clients</Button>
      </div>
    </section>
  );
}

/** Asks before what would be the sitter's alone is put where clients read it. */
const askToShow = (name: string): Promise<boolean> =>
  confirm({
    title: "Show this column to your clients?",
    text: `“${setApart(name)}” would be for you alone. In this field, clients in the portal see what is in it.`,
    action: "Show it",
    cancel: "Keep it private",
  });

/** Asks which row has the names of the columns; those that were chosen by then are guessed anew. */
function HeaderRow({ draft, table }: { draft: Draft<ImportDraft>; table: Table }) {
  const { header_row, first_rows } = table;
  // Contacts have none.
  if (header_row === undefined || header_row === null) return null;
  const rows = (first_rows ?? []).map((it) => ({
    value: it.number,
    label: `Row ${it.number}: ${it.cells.filter(Boolean).slice(0, SAMPLES).join(", ")}`,
  }));
  const choose = (chosen: number) => {
    const { table: below, columns } = withHeader({ table, header_row: chosen });
    draft.set({ table: below, columns, dates: [], added: [], left_out: [] });
  };
  return (
    <Select
      name="header_row"
      label="Row with the names of the columns"
      value={header_row}
      options={[{ value: 0, label: "None: the first row is a client" }, ...rows]}
      onChange={choose}
    />
  );
}

function samples(table: Table, place: number): string[] {
  const found: string[] = [];
  for (const { cells } of table.rows) {
    const cell = cells[place];
    if (cell && !found.includes(cell)) found.push(cell);
    if (found.length === SAMPLES) break;
  }
  return found;
}

interface ColumnProps {
  name: string;
  place: number;
  cells: readonly string[];
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Column({ name, place, cells, value, options, onChange }: ColumnProps) {
  return (
    <Card className="grid h-full content-start gap-2">
      <Select name={`columns.${place}`} label={<bdi>{name}</bdi>} value={value} options={options} onChange={onChange} />
      <p className="line-clamp-2 text-14 text-ink-2 wrap-anywhere">
        {cells.length === 0 ? "Nothing in it" : cells.map((it) => <Sample key={it} text={it} />)}
      </p>
    </Card>
  );
}

const Sample = ({ text }: { text: string }) => (
  <span className="not-first:before:content-['_·_']">
    <bdi>{text}</bdi>
  </span>
);
