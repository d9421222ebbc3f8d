/** Owns a file of clients as another program exports it, with mistakes in it: always the same for the same seed. */
import { writeFile } from "node:fs/promises";

const FIRST = ["Dana", "Kim", "Ada", "José", "Noor", "Zoë", "Sam", "Mia", "Levi", "Ines"];
const LAST = ["Hill", "O’Hara", "Müller", "Li", "Okafor", "Novák", "Silva", "Berg", "Sato", "Reed"];
const PETS = ["Rex", "Luna", "Bo", "Biscuit", "Mo", "Ziggy", "Olive"];

/** Every so many clients have a mistake. */
const MISTAKE_EVERY = 30;

export interface ClientFile {
  path: string;
  n_clients: number;
  /** Each wrong cell: its label on the screen, and the value that corrects it. */
  mistakes: { label: string; right: string }[];
}

/** Writes a file of so many clients to `path`. */
export async function writeClientFile(path: string, n_clients: number, seed: number): Promise<ClientFile> {
  let state = seed;
  // Numerical Recipes' generator: what is drawn is the same on every machine.
  const below = (n: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * n);
  };
  const pick = (of: readonly string[]) => of[below(of.length)] ?? "";
  const lines = ["First Name,Last Name,E-mail Address,Cell Phone,Street,City,Pet 1 Name,Pet 1 DOB,Alarm Code"];
  const mistakes: ClientFile["mistakes"] = [];
  for (let n = 0; n < n_clients; n++) {
    const cells = {
      "First Name": pick(FIRST),
      "Last Name": `${pick(LAST)} ${n}`,
      "E-mail Address": `client${n}@example.com`,
      "Cell Phone": `(555) 010-${String(1_000 + n)}`,
      Street: `${1 + below(200)} Elm St, rear`,
      City: "Ann Arbor",
      "Pet 1 Name": pick(PETS),
      "Pet 1 DOB": `${1 + below(12)}/${1 + below(28)}/20${10 + below(10)}`,
      "Alarm Code": below(3) === 0 ? `=4${below(1_000)}` : "",
    };
    if (n % MISTAKE_EVERY === MISTAKE_EVERY - 1) {
      const [column, wrong] = (
        [
          ["E-mail Address", "nobody at home"],
          ["Cell Phone", "12"],
          ["Pet 1 DOB", "spring"],
        ] as const
      )[mistakes.length % 3] ?? ["Cell Phone", "12"];
      mistakes.push({ label: `${column}, row ${n + 2}`, right: cells[column] });
      cells[column] = wrong;
    }
    lines.push(Object.values(cells).map(quoted).join(","));
  }
  await writeFile(path, `\uFEFF${lines.join("\r\n")}\r\n`);
  return { path, n_clients, mistakes };
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
