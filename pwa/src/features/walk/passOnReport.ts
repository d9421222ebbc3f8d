/** Owns a report's link on its way to its client, and noting that it went. */
import type { Report } from "../../core";
import { business } from "../../data";
import { markPassedOn } from "../../parts/sharing/passOn";
import { sendLink } from "../../parts/sharing/sendLink";

export async function passOnReport({ id, share_id, client_id, kind = "walk", dogs }: Report): Promise<void> {
  if (!share_id || !(await sendLink(share_id, kind, dogs))) return;
  const phone = await business().wholePhone();
  // Whoever is in the portal has it there.
  if (!phone.sharing([client_id]).to_pass_on.includes(client_id)) return;
  const client_name = phone.client(client_id)?.client.name ?? "";
  await markPassedOn({ id, what: "report", client_name });
}
