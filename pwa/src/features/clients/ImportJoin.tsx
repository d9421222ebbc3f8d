/** Owns joining a second file to the one that is imported, such as the pets to their owners, by a column of each. */
import { FilePlus } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { joinTables, type Table } from "../../core/import";
import type { Draft } from "../../data";
import { Banner, Button, Card, Select } from "../../ui";
import { FileButton } from "../../ui/FileButton";
import { useFromTheTop } from "../../ui/useFromTheTop";
import { counted, type ImportDraft } from "./importDraft";
import { ACCEPT, useLetters } from "./letters";

interface Second {
  file: string;
  table: Table;
}

export function ImportJoin({ draft, table }: { draft: Draft<ImportDraft>; table: Table }) {
  const [second, setSecond] = useState<Second>();
  const [problem, setProblem] = useState<string>();
  const { read, question } = useLetters((found, file) => setSecond({ table: found.table, file }));
  const box = useFromTheTop(question ? "letters" : second ? "columns" : "file");
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      setProblem(read(new Uint8Array(await file.arrayBuffer()), file.name));
    } catch {
      setProblem("This file cannot be read here. Save it on this device, and choose it again.");
    }
  };
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-100 outline-none">
      {question ||
        (second ? (
          <Columns draft={draft} table={table} second={second} onClose={() => setSecond(undefined)} />
        ) : (
          <div className="grid justify-items-start gap-2">
            <FileButton icon={<FilePlus aria-hidden />} accept={ACCEPT} disabled={false} onFile={take}>
              Add a file with their pets
            </FileButton>
            {problem && (
              <Banner kind="danger" role="alert">
                {problem}
              </Banner>
            )}
          </div>
        ))}
    </div>
  );
}

interface ColumnsProps {
  draft: Draft<ImportDraft>;
  table: Table;
  second: Second;
  onClose: () => void;
}

function Columns({ draft, table, second, onClose }: ColumnsProps) {
  const title = useId();
  const [begin] = useState(() => sharedColumn(table, second.table));
  const [owner_column, setOwner] = useState(begin.owner);
  const [pet_column, setPet] = useState(begin.pet);
  const joined = useMemo(
    () => joinTables({ owners: table, owner_column, pets: second.table, pet_column }),
    [table, owner_column, second, pet_column],
  );
  const join = () => {
    const file = `${draft.value.file} + ${second.file}`;
    draft.set({ table: joined.table, columns: joined.columns, file, dates: [], added: [], left_out: [] });
    onClose();
  };
  return (
    <Card aria-labelledby={title} className="grid gap-3">
      <h3 id={title} className="font-bold wrap-anywhere">
        Which columns name the same client?
      </h3>
      <Select
        name="owner_column"
        label={<bdi>{draft.value.file}</bdi>}
        value={owner_column}
        options={optionsOf(table)}
        onChange={setOwner}
      />
      <Select
        name="pet_column"
        label={<bdi>{second.file}</bdi>}
        value={pet_column}
        options={optionsOf(second.table)}
        onChange={setPet}
      />
      <p role="status" className="text-14 text-ink-2 wrap-anywhere">
        {joined.n_unmatched === 0
          ? "Every row of the second file has its client in the first one."
          : `${counted(joined.n_unmatched, "row")} of the second file would be left out, since none or several of the clients in the first one match: ${joined.unmatched.join(" · ")}`}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={join}>Join the files</Button>
      </div>
    </Card>
  );
}

const optionsOf = ({ header }: Table) => header.map((label, value) => ({ value, label }));

/** The first column of the second file that the first one has, too; the first columns where there is none. */
function sharedColumn(owners: Table, pets: Table): { owner: number; pet: number } {
  const names = owners.header.map((it) => it.toLowerCase());
  for (const [pet, name] of pets.header.entries()) {
    const owner = names.indexOf(name.toLowerCase());
    if (owner !== -1 && !PET_NAMES.includes(name.toLowerCase())) return { owner, pet };
  }
  return { owner: 0, pet: 0 };
}

/** Names that both files may have for something else each. */
const PET_NAMES = ["name", "pets", "notes"];
