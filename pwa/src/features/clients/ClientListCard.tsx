/** Owns a client in the list: who, which pets, where, and a word with them; the rest is one tap away. */
import { PencilLine } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { useIsPhone } from "../../browser/device";
import type { ClientCard } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { ContactLinks } from "../../parts/contact/ContactLinks";
import { PetAvatar } from "../../parts/PetAvatar";
import { Avatar, AvatarStack, Card, Chip } from "../../ui";
import { MessageButton } from "../messages";

interface ClientListCardProps {
  card: ClientCard;
  /** True if the client's page stands beside the list. */
  isShown: boolean;
  /** Fields that the client's parents have changed and nobody has read yet, as `Vet and Address`; mostly empty. */
  news: string;
  onInvite: (clientId: string) => void;
}

/** Drawn again only where something of this client has changed: there are hundreds. */
export const ClientListCard = memo(function ClientListCard(props: ClientListCardProps) {
  const { card, isShown, news, onInvite } = props;
  const { client, dogs } = card;
  const isPhone = useIsPhone();
  const isPending = useReplica((phone) => phone.isPending("client", client.id));
  return (
    <Card
      pressable
      next={isShown}
      // Three hundred clients are laid out as they come into sight.
      className="flex flex-wrap items-center gap-3 [contain-intrinsic-size:auto_64px] [content-visibility:auto]"
    >
      <AvatarStack>
        {dogs.length > 0
          ? dogs.map((pet) => <PetAvatar key={pet.id} pet={pet} />)
          : [<Avatar key="none" name={client.name} />]}
      </AvatarStack>
      <div className="min-w-0 flex-1 basis-[9rem]">
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
        {client.address && (
          <p className="truncate text-14 text-ink-2">
            <bdi>{client.address}</bdi>
          </p>
        )}
        {card.needs_pet && (
          <Link
            to={`/clients/${client.id}?form=edit`}
            className="hit relative z-1 inline-flex items-center gap-2 text-14 font-medium underline"
          >
            <Chip kind="tag">No pet yet</Chip> Name the pet
            <span className="sr-only">
              : <bdi>{client.name}</bdi>
            </span>
          </Link>
        )}
        {/* On a phone it is on the client's page. */}
        {!client.client_user_id && !isPhone && (
          <button
            type="button"
            aria-label={`Invite to portal: ${client.name}`}
            onClick={() => onInvite(client.id)}
            className="hit relative z-1 block text-14 font-medium underline decoration-line decoration-2 underline-offset-4"
          >
            Invite to portal
          </button>
        )}
        {client.inactive_since && <Chip>Inactive</Chip>}
        {news && (
          <Chip kind="tag" icon={<PencilLine aria-hidden />}>
            <span className="min-w-0 wrap-anywhere">
              Changed: <bdi>{news}</bdi>
            </span>
          </Chip>
        )}
        {isPending && <WaitingMark />}
      </div>
      <div className="relative z-1 flex shrink-0 gap-2 empty:hidden">
        <ContactLinks client={client} ways={["call"]} />
        <MessageButton card={card} />
      </div>
    </Card>
  );
});
