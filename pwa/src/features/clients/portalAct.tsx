/** Owns the act of a client's menus that is about the portal: to invite, or to end what an invitation began. */
import { DoorClosed, DoorOpen } from "lucide-react";
import type { Client, Parent } from "../../core";
import { save } from "../../data";
import { tellWhenSent } from "../../parts/tellWhenSent";
import { confirm, toast } from "../../ui";
import type { MenuItem } from "../../ui/Menu";

export const portalAct = (client: Client, onInvite: () => void): MenuItem =>
  client.client_user_id
    ? { label: "End portal access", icon: <DoorClosed />, danger: true, onSelect: () => void endPortalAccess(client) }
    : { label: "Invite to portal", icon: <DoorOpen />, onSelect: onInvite };

/** Asks first, and says when the access of the whole household has ended, or that of one of its parents. */
export async function endPortalAccess({ id, name: ofAll, parents = [] }: Client, parent?: Parent): Promise<void> {
  const name = parent?.name ?? ofAll;
  const all = parents.length > 1 ? ` All ${parents.length} logins of the household end.` : "";
  const others = parent ? " Others of the household keep theirs." : all;
  const question = {
    title: `End ${name}'s portal access?`,
    text: `Visits, reports and prices leave their devices.${others} The client and all visits stay with you, and you can invite them again.`,
    action: "End access",
    danger: true,
  };
  if (!(await confirm(question))) return;
  const args = parent ? { id, user_id: parent.user_id } : { id };
  try {
    const result = await save({ name: "unlink_client", args }, `End ${name}'s portal access`);
    if (!result.ok) return void toast.error(result.text);
    tellWhenSent(result.id, {
      waits: `${name}'s access ends when this is sent`,
      done: `${name} is no longer in the portal`,
    });
  } catch {
    toast.error("Failed to end the portal access");
  }
}
