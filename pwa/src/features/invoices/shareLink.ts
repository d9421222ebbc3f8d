/** Owns an invoice's link on its way to its client, and noting that it went. */
import { business } from "../../data";
import { markPassedOn } from "../../parts/sharing/passOn";
import { sendUrl } from "../../parts/sharing/sendLink";

interface Linked {
  id: string;
  client_id: string;
  client_name: string;
}

export async function shareLink({ id, client_id, client_name }: Linked, url: string, title: string): Promise<void> {
  if (!(await sendUrl(url, title))) return;
  const phone = await business().wholePhone();
  // Whoever is in the portal has it there.
  if (!phone.sharing([client_id]).to_pass_on.includes(client_id)) return;
  await markPassedOn({ id, what: "invoice", client_name });
}
