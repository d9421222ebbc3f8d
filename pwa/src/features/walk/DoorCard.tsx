/** Owns the way in that a walk shows by itself when it has come to a client's door; the controls stay free. */
import { KeyRound, X } from "lucide-react";
import type { ClientCard } from "../../core";
import { IconButton } from "../../ui";
import { leaveDoor } from "./tracker";

export function DoorCard({ client, access }: { client: ClientCard["client"]; access: string }) {
  return (
    <section
      aria-label={`At the door of ${client.name}`}
      className="flex max-h-[34dvh] animate-rise items-start gap-3 overflow-y-auto rounded-[22px] border border-line bg-tag-soft py-3 pr-1 pl-4 text-tag-ink"
    >
      <KeyRound aria-hidden className="mt-1 size-5 shrink-0" />
      <div role="status" className="min-w-0 flex-1 wrap-anywhere">
        <p className="text-14">
          At the door: {client.name}
          {client.address && `, ${client.address}`}
        </p>
        <p className="text-20 font-bold whitespace-pre-wrap">{access}</p>
      </div>
      <IconButton
        label="Hide the access notes"
        className="-my-2 shrink-0 hover:bg-transparent"
        onClick={() => leaveDoor(client.id)}
      >
        <X />
      </IconButton>
    </section>
  );
}
