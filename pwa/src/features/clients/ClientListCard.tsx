/** Owns a client in the list: who, which pets, how to get there, how to get in, what it costs. */
import { KeyRound, MapPin } from "lucide-react";
import { Link } from "react-router";
import { type ClientCard, formatDollars } from "../../core";
import { useReplica } from "../../data";
import { Avatar, AvatarStack, Card, Chip, cx } from "../../ui";
import { WaitingMark } from "../attention/WaitingMark";
import { ContactLinks } from "../scheduling/ContactLinks";
import { PetAvatar } from "../scheduling/PetAvatar";

interface ClientListCardProps {
  card: ClientCard;
  /** Whether its page stands beside the list. */
  isShown: boolean;
}

export function ClientListCard({ card: { client, dogs }, isShown }: ClientListCardProps) {
  const isPending = useReplica((phone) => phone.isPending("client", client.id));
  return (
    <Card
      pressable
      next={isShown}
      // Three hundred clients are laid out as they come into sight.
      className="grid grid-cols-1 gap-3 [contain-intrinsic-size:auto_180px] [content-visibility:auto]"
    >
      <div className="flex items-start gap-3">
        <AvatarStack>
          {dogs.length > 0
            ? dogs.map((pet) => <PetAvatar key={pet.id} pet={pet} />)
            : [<Avatar key="none" name={client.name} />]}
        </AvatarStack>
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2 text-16 font-bold wrap-anywhere">
            <Link
              to={`/clients/${client.id}`}
              aria-current={isShown ? "true" : undefined}
              className="stretched outline-none after:absolute after:inset-0"
            >
              <bdi>{client.name}</bdi>
            </Link>
          </h2>
          <p className="line-clamp-2 text-14 text-ink-2 wrap-anywhere">
            {dogs.map((pet, place) => (
              <span key={pet.id}>
                {place > 0 && ", "}
                <bdi>{pet.name}</bdi>
              </span>
            ))}
          </p>
        </div>
        {isPending && <WaitingMark />}
      </div>
      {client.address && (
        <p className="flex gap-2 text-14 text-ink-2">
          <MapPin aria-hidden className="mt-px size-4 shrink-0" />
          <span className="line-clamp-2 min-w-0 wrap-anywhere">{client.address}</span>
        </p>
      )}
      {client.access_notes && (
        <div className="flex">
          <Chip kind="tag" icon={<KeyRound aria-hidden className="shrink-0" />} className="max-w-full">
            <span className="truncate">{client.access_notes}</span>
          </Chip>
        </div>
      )}
      <div className="flex items-end gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap gap-1">
          <Chip>{formatDollars(client.walk_rate_30min)} / 30 min</Chip>
          <Chip>{formatDollars(client.pricing_dropin)} drop-in</Chip>
        </div>
        <div className={cx("relative z-1 flex shrink-0 gap-2", !client.phone && !client.address && "hidden")}>
          <ContactLinks client={client} call />
        </div>
      </div>
    </Card>
  );
}
