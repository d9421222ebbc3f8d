/** Owns making a client inactive and active again: at once, with a way back that takes all of it back. */
import { type Client, type DepartureAct, setApart } from "../../core";
import { business, save } from "../../data";
import { toast } from "../../ui";

type Named = Pick<Client, "id" | "name">;

/** Saves an act, with what it did and a way back; resolves with the sentence that says why not, or with nothing. */
export async function depart(
  { command, undo, done }: DepartureAct,
  words: { sentence: string; done: string; undone: string },
): Promise<string | undefined> {
  const base_rev = business().phone.cursor();
  const result = await save(command, words.sentence);
  if (!result.ok) return result.text;
  toast.success([words.done, done].filter(Boolean).join(". "), {
    label: "Undo",
    onAction: () => void takeBack(undo, base_rev, words),
  });
  return undefined;
}

async function takeBack(
  undo: DepartureAct["undo"],
  base_rev: number,
  { sentence, undone }: { sentence: string; undone: string },
): Promise<void> {
  try {
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (result.ok) toast.info(undone);
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}

export const deactivate = (client: Named, act: DepartureAct): Promise<string | undefined> =>
  depart(act, {
    sentence: `Make ${setApart(client.name)} inactive`,
    done: `${setApart(client.name)} is inactive`,
    undone: `${setApart(client.name)} is active again`,
  });

export async function activate(client: Named): Promise<void> {
  const name = setApart(client.name);
  try {
    const why = await depart(
      {
        command: { name: "activate_client", args: { id: client.id } },
        undo: { name: "deactivate_client", args: { id: client.id } },
        done: "",
      },
      { sentence: `Make ${name} active again`, done: `${name} is active again`, undone: `${name} is inactive` },
    );
    if (why) toast.error(why);
  } catch {
    toast.error("Failed to update client");
  }
}
