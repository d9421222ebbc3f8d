/** Owns the list of conversations: whose, what was said last and when, and how much of it is new. */
import { Link } from "wouter";
import type { ConversationCard } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { PetAvatar } from "../../parts/PetAvatar";
import { Badge, cx } from "../../ui";
import { useGradualList } from "../../ui/useGradualList";

/** So many rows fill the screen, of a desktop, too. */
const SCREENFUL = 16;
const ROW_PX = 90;

interface ConversationListProps {
  cards: readonly ConversationCard[];
  /** The one that stands beside the list. */
  shown: string | undefined;
  pathOf: (card: ConversationCard) => string;
}

export function ConversationList({ cards, shown, pathOf }: ConversationListProps) {
  const { drawn, restPx } = useGradualList(cards, { of: "", first: SCREENFUL, itemPx: ROW_PX });
  return (
    <ul aria-label="Conversations" className="grid grid-cols-1 content-start">
      {drawn.map((card) => (
        <li key={card.id} className="border-b border-line [contain-intrinsic-size:auto_72px] [content-visibility:auto]">
          <Row card={card} isShown={card.id === shown} path={pathOf(card)} />
        </li>
      ))}
      {restPx > 0 && <li aria-hidden style={{ height: restPx }} />}
    </ul>
  );
}

function Row({ card, isShown, path }: { card: ConversationCard; isShown: boolean; path: string }) {
  const { id, name, pets, photo, preview, is_mine, time, unread } = card;
  const isPending = useReplica((phone) => phone.isPending("conversation", id));
  return (
    <Link
      to={path}
      aria-current={isShown ? "true" : undefined}
      className={cx(
        "flex min-h-18 items-center gap-3 px-5 py-3 -outline-offset-3 transition-colors md:px-4",
        isShown ? "bg-sunken" : "hover:bg-sunken",
      )}
    >
      <PetAvatar pet={{ id, name, photo }} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <bdi className={cx("min-w-0 flex-1 basis-[6rem] truncate", unread > 0 ? "font-bold" : "font-medium")}>
            {name}
          </bdi>
          <span className="num shrink-0 text-12 text-ink-2">{time}</span>
        </span>
        {pets.length > 0 && <bdi className="block truncate text-14 text-ink-2">{pets.join(", ")}</bdi>}
        <span className="flex items-center gap-2">
          <span dir="auto" className={cx("min-w-0 flex-1 truncate text-14", unread > 0 ? "font-medium" : "text-ink-2")}>
            {is_mine && "You: "}
            {preview}
          </span>
          {isPending && <WaitingMark />}
          <Badge count={unread} label={unread === 1 ? "unread message" : "unread messages"} />
        </span>
      </span>
    </Link>
  );
}
