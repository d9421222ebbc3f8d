/**
 * Owns what one needs at the door and behind it: how to get in, where that is, whom to call, and what the pets need.
 */
import { KeyRound } from "lucide-react";
import type { ClientCard } from "../../core";
import { useReplica } from "../../data";
import { Dialog } from "../../ui";
import { ContactLinks } from "../contact/ContactLinks";
import { CareNotes } from "../visit/CareNotes";

interface DoorDialogProps {
  clients: readonly ClientCard[];
  /** Ids of the services for which one is there; what was noted for them is shown too. */
  services?: readonly string[];
  onClose: () => void;
}

const NONE: readonly string[] = [];

export function DoorDialog({ clients, services = NONE, onClose }: DoorDialogProps) {
  const visits = useReplica((phone) => services.map((it) => phone.service(it)).filter((it) => it !== undefined));
  return (
    <Dialog open title="Access and care" onClose={onClose}>
      <ul className="grid grid-cols-1 gap-6">
        {clients.map(({ client, dogs, access }) => (
          <li key={client.id} className="grid grid-cols-1 gap-3">
            <div className="flex flex-wrap items-center gap-2">
              <div className="min-w-0 flex-1 basis-[min(100%,8rem)] wrap-anywhere">
                <p className="font-bold">
                  <bdi>{client.name}</bdi>
                </p>
                <p className="text-14 text-ink-2">
                  <bdi>{client.address}</bdi>
                </p>
              </div>
              <ContactLinks client={client} ways={["call", "map"]} />
            </div>
            {access ? (
              <p className="flex gap-3 rounded-large bg-tag-soft p-4 text-20 font-bold text-tag-ink">
                <KeyRound aria-hidden className="mt-1 size-5 shrink-0" />
                <bdi className="min-w-0 whitespace-pre-wrap wrap-anywhere">{access}</bdi>
              </p>
            ) : (
              <p className="text-ink-2">No access notes.</p>
            )}
            <CareNotes
              pets={dogs}
              house={client.house_instructions}
              visits={visits.filter((it) => it.client_id === client.id)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
