/** Owns what one needs at the door when the walk comes back to it: how to get in, where that is, whom to call. */
import { KeyRound } from "lucide-react";
import type { ClientCard } from "../../core";
import { Dialog } from "../../ui";
import { ContactLinks } from "../contact/ContactLinks";

interface DoorDialogProps {
  clients: readonly ClientCard[];
  onClose: () => void;
}

export function DoorDialog({ clients, onClose }: DoorDialogProps) {
  return (
    <Dialog open title="At the door" onClose={onClose}>
      <ul className="grid grid-cols-1 gap-6">
        {clients.map(({ client, access }) => (
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
              <p className="text-ink-2">Nothing is noted about how to get in.</p>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
