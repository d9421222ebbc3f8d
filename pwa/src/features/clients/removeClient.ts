/** Owns deleting a client: at once, with a way back; what stands in its way is explained where it can be solved. */
import type { ClientCard, Command, PetPatch } from "../../core";
import { business, save } from "../../data";
import { confirm, toast } from "../../ui";

/** Deletes the client and offers to undo it; whether it is gone. */
export async function removeClient(card: ClientCard, navigate: (path: string) => void): Promise<boolean> {
  const { client } = card;
  const unbilled = await unbilledOf(client.id);
  if (unbilled) {
    const bills = await confirm({
      title: `${client.name} has something unbilled`,
      text: `${unbilled}. A deleted client cannot be billed. Bill it first, then delete the client.`,
      action: "Bill first",
      cancel: "Do not bill",
    });
    if (bills) {
      navigate(`/invoices?client=${client.id}`);
      return false;
    }
    const deletes = await confirm({
      title: `Delete ${client.name} anyway?`,
      text: `${unbilled}.`,
      action: "Delete",
      danger: true,
    });
    if (!deletes) return false;
  }
  try {
    const result = await save({ name: "delete_client", args: { id: client.id } }, `Delete ${client.name}`);
    if (result.ok) {
      toast.success(`${client.name} deleted`, { label: "Undo", onAction: () => void restore(card) });
      return true;
    }
    if (result.refusal.code === "has_future_services") await explain(card, result.text, navigate);
    else toast.error(result.text);
  } catch {
    toast.error("Failed to delete client");
  }
  return false;
}

/** `1 visit, $25.00 unbilled`; empty where nothing is. */
async function unbilledOf(id: string): Promise<string> {
  const phone = await business().wholePhone();
  return phone.unbilledClients(Date.now()).find((it) => it.id === id)?.unbilled ?? "";
}

/** A visit that is overdue today is among the newest past ones. */
const LATEST = 50;

async function explain({ client }: ClientCard, title: string, navigate: (path: string) => void): Promise<void> {
  const phone = await business().wholePhone();
  const { upcoming, past } = phone.clientServices(client.id, LATEST, Date.now());
  const next = upcoming[0] ?? past.find((it) => it.overdue);
  const hasMany = upcoming.length > 1 && !client.inactive_since;
  const atOnce = hasMany ? " Making the client inactive cancels all that are to come at once." : "";
  const show = await confirm({
    title,
    text: `${client.name} still has visits in the schedule. Cancel them, then delete the client.${atOnce}`,
    action: "Show in schedule",
  });
  if (show && next) navigate(`/scheduling?date=${next.date}&service=${next.id}`);
}

async function restore({ client, dogs, gone_dogs }: ClientCard): Promise<void> {
  const pets = [...dogs, ...gone_dogs];
  const command: Command = {
    name: "restore_client",
    args: { id: client.id, client, dogs: pets.map((it): PetPatch => ({ id: it.id, is_new: true, changes: it })) },
  };
  try {
    const result = await save(command, `Bring ${client.name} back`);
    if (result.ok) toast.info(`${client.name} is back`);
    else toast.error(result.text);
  } catch {
    toast.error("Failed to restore client");
  }
}
