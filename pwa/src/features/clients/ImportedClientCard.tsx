/** Owns one client of a file before it is imported: what is known of it, what is wrong, and its cells to be corrected. */
import { PencilLine } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { Link } from "wouter";
import { columnChoices, type ImportedClient, type Problem } from "../../core/import";
import { Banner, Card, Checkbox, Chip, IconButton, TextField } from "../../ui";

interface ImportedClientCardProps {
  client: ImportedClient;
  header: readonly string[];
  columns: readonly string[];
  /** Returns the text of a cell. */
  cell: (row: number, column: number) => string;
  /** With the client's first row. */
  onCell: (first: number, row: number, column: number, text: string) => void;
  onChoose: (client: ImportedClient, isIn: boolean) => void;
}

/** A cell by its row and its column. */
interface Place {
  row: number;
  column: number;
}

const keyOf = ({ row, column }: Place): string => `${row}.${column}`;

export const ImportedClientCard = memo(function ImportedClientCard(props: ImportedClientCardProps) {
  const { client, header, columns, onChoose } = props;
  const { rows, state, problems } = client;
  const first = rows[0] ?? 0;
  const [isOpen, setOpen] = useState(false);
  // A cell that is being corrected stays when it is right.
  const [opened, setOpened] = useState<readonly Place[]>([]);
  const wrong = problems.flatMap(({ row, column }) => (column === null ? [] : [{ row, column }]));
  const all = isOpen ? placesOf(rows, columns) : [];
  const isIn = state === "ready" || state === "wrong";
  // Who has no pet is given one here, or later.
  const petName = columns.indexOf("pet_name");
  const unnamed = client.dogs.length === 0 && petName !== -1 ? [{ row: first, column: petName }] : [];
  const places = isIn ? unique([...opened, ...wrong, ...unnamed, ...all]) : [];
  const name = nameOf(client);
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-[9rem]">
          <Checkbox
            name={`rows.${first}`}
            label={
              <span className="font-bold wrap-anywhere">
                <bdi>{name}</bdi>
              </span>
            }
            hint={<Details client={client} />}
            checked={isIn}
            onChange={(checked) => onChoose(client, checked)}
          />
        </div>
        {client.known && <Chip kind="other">Here already</Chip>}
        {isIn && (
          <IconButton kind="square" label={`Edit ${name}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <PencilLine />
          </IconButton>
        )}
      </div>
      {client.known && state === "known" && client.new_pets && (
        <Banner action={<Link to={`/clients/${client.known}`}>Open {name}</Link>}>{client.new_pets}</Banner>
      )}
      {isIn && problems.filter((it) => it.column === null).map((it) => <Unplaced key={it.text} problem={it} />)}
      {places.length > 0 && (
        <div className="grid gap-3 md:grid-cols-2">
          {places.map((it) => (
            <Cell
              key={keyOf(it)}
              {...props}
              place={it}
              label={`${header[it.column] ?? ""}, row ${it.row}`}
              onTouch={() => setOpened((before) => unique([...before, it]))}
            />
          ))}
        </div>
      )}
    </Card>
  );
});

const nameOf = ({ client, rows }: ImportedClient): string => client.name || `Row ${rows[0]}`;

function Details({ client: { client, dogs, rows } }: { client: ImportedClient }) {
  const said = [client.email, client.phone, client.address].filter((it) => it);
  const pets = dogs.flatMap((it) => (it.name ? [it.name] : []));
  return (
    <span className="wrap-anywhere">
      {said.map((it) => (
        <span key={it} className="block">
          <bdi>{it}</bdi>
        </span>
      ))}
      <span className="block">
        {pets.length > 0 ? <bdi>{pets.join(", ")}</bdi> : "Pet to be named"} · {rows.length === 1 ? "row" : "rows"}{" "}
        {rows.join(", ")}
      </span>
    </span>
  );
}

const Unplaced = ({ problem }: { problem: Problem }) => <Banner kind="danger">{problem.text}</Banner>;

interface CellProps extends ImportedClientCardProps {
  place: Place;
  label: string;
  onTouch: () => void;
}

function Cell({ client, columns, place: { row, column }, label, cell, onCell, onTouch }: CellProps) {
  const choice = useMemo(() => columnChoices([...columns]), [columns]).find((it) => it.value === columns[column]);
  const [text, setText] = useState(() => cell(row, column));
  const errors = client.problems.filter((it) => it.row === row && it.column === column);
  const change = (text: string) => {
    setText(text);
    onTouch();
    onCell(client.rows[0] ?? 0, row, column, text);
  };
  return (
    <TextField
      name={`cells.${row}.${column}`}
      reader={{ reader: choice?.is_private ? "sitter" : "client" }}
      label={<bdi>{label}</bdi>}
      autoComplete="off"
      value={text}
      error={errors.map((it) => it.text).join(" ") || undefined}
      onChange={change}
    />
  );
}

/** The cells of all columns that are not left out. */
const placesOf = (rows: readonly number[], columns: readonly string[]): Place[] =>
  rows.flatMap((row) => columns.flatMap((it, column) => (it === "" ? [] : [{ row, column }])));

const unique = (places: readonly Place[]): Place[] => [...new Map(places.map((it) => [keyOf(it), it])).values()];
