/** Owns the sitter's choice for a client to book open times without asking. */
import { type Client, setApart } from "../../core";
import { save } from "../../data";
import { Switch, toast } from "../../ui";

interface BookChoiceProps {
  client: Client;
  /** The client has a login. */
  isIn: boolean;
}

export function BookChoice({ client, isIn }: BookChoiceProps) {
  const name = <bdi>{client.name}</bdi>;
  return (
    <Switch
      name="books_at_once"
      label={<>Let {name} book open times without asking</>}
      hint={
        <>
          A visit at a time that you offer is booked at once, and you are notified. Other times, visits of more than an
          hour, stays, visits that repeat and changes still need your approval.{" "}
          {isIn ? <>{name} reads this in the form for a new visit.</> : <>This counts once {name} has a login.</>}
        </>
      }
      // A name may be one long word.
      className="wrap-anywhere"
      checked={client.books_at_once ?? false}
      onChange={(books_at_once) => void choose(client, books_at_once)}
    />
  );
}

async function choose({ id, name }: Client, books_at_once: boolean): Promise<void> {
  try {
    const sentence = books_at_once
      ? `Let ${setApart(name)} book without asking`
      : `Have ${setApart(name)} ask for visits again`;
    const result = await save({ name: "update_client", args: { id, changes: { books_at_once } } }, sentence);
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error("Failed to update client");
  }
}
