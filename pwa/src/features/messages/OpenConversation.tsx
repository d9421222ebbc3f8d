/** Owns the right pane: with whom one talks, what can be done with the conversation, and the messages below. */
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  CalendarPlus,
  MessageSquareOff,
  MoreVertical,
  UserRound,
} from "lucide-react";
import { useLocation } from "wouter";
import { useIsPhone } from "../../browser/device";
import type { ConversationCard } from "../../core";
import { save, storageTrouble, useHasPulledSince } from "../../data";
import { NotHere } from "../../parts/NotHere";
import { PetAvatar } from "../../parts/PetAvatar";
import { ErrorBoundary, IconButton, LoadFailure, Menu, toast, useTitle } from "../../ui";
import { Loaded } from "./Loaded";
import { QUICK_REPLIES } from "./quickReplies";
import { Thread } from "./Thread";
import type { UserType } from "./useMessagesAddress";
import { useThread } from "./useThread";

interface OpenConversationProps {
  /** Id of the conversation, which is its client's. */
  id: string;
  /** The message at which it opens: it was looked for. */
  found?: string | undefined;
  userType: UserType;
  onLeave: () => void;
}

/** With another `key` for each conversation and each message that was looked for. */
export function OpenConversation({ id, found, userType, onLeave }: OpenConversationProps) {
  const { thread, showOlder } = useThread(id, found);
  const isGone = useHasPulledSince(id);
  const isPhone = useIsPhone();
  return (
    <section
      aria-label={`Conversation${thread ? ` with ${thread.card.name}` : ""}`}
      data-whole={isPhone || undefined}
      className="flex h-[calc(100dvh-env(safe-area-inset-top))] min-w-0 flex-col"
    >
      <Head card={thread?.card} userType={userType} onLeave={onLeave} />
      <Loaded failure="Failed to load conversation. Please try again." label="Loading the conversation">
        {thread ? (
          <ErrorBoundary resetKey={id} fallback={(retry) => <Broken onRetry={retry} />}>
            <Thread
              thread={thread}
              quickReplies={QUICK_REPLIES[userType]}
              onOlder={showOlder}
              found={found}
              autoFocus={!isPhone}
            />
          </ErrorBoundary>
        ) : (
          <NotHere what="conversation" isGone={isGone} icon={<MessageSquareOff aria-hidden />} />
        )}
      </Loaded>
    </section>
  );
}

function Broken({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="p-4">
      <LoadFailure onRetry={onRetry}>Failed to load messages. Please try again.</LoadFailure>
    </div>
  );
}

interface HeadProps {
  card: ConversationCard | undefined;
  userType: UserType;
  onLeave: () => void;
}

function Head({ card, userType, onLeave }: HeadProps) {
  const isPhone = useIsPhone();
  const Title = isPhone ? "h1" : "h2";
  useTitle(card?.name ?? "Messages");
  return (
    <header className="flex min-h-16 items-center gap-3 border-b border-line bg-card px-2 py-2 md:px-5">
      {isPhone && (
        <IconButton label="Back to conversations" onClick={onLeave}>
          <ArrowLeft />
        </IconButton>
      )}
      {card && <PetAvatar pet={card} />}
      <div className="min-w-0 flex-1">
        <Title className="truncate text-20 font-bold">
          <bdi>{card?.name ?? "Messages"}</bdi>
        </Title>
        {card && card.pets.length > 0 && (
          <p className="truncate text-14 text-ink-2">
            <bdi>{card.pets.join(", ")}</bdi>
          </p>
        )}
      </div>
      {card && <Acts card={card} userType={userType} onLeave={onLeave} />}
    </header>
  );
}

function Acts({ card: { id, name, is_archived }, userType, onLeave }: HeadProps & { card: ConversationCard }) {
  const [, navigate] = useLocation();
  const isSitter = userType === "sitter";
  const archive = async () => {
    if ((await setArchived(id, name, !is_archived)) && !is_archived) onLeave();
  };
  return (
    <Menu
      label={`More for ${name}`}
      trigger={(props) => (
        <IconButton label={`More for ${name}`} {...props}>
          <MoreVertical />
        </IconButton>
      )}
      items={[
        isSitter && { label: "Open client", icon: <UserRound />, onSelect: () => navigate(`/clients/${id}`) },
        isSitter && {
          label: "Schedule a visit",
          icon: <CalendarPlus />,
          onSelect: () => navigate(`/scheduling?new=1&client=${id}`),
        },
        {
          label: is_archived ? "Move to inbox" : "Archive",
          icon: is_archived ? <ArchiveRestore /> : <Archive />,
          onSelect: () => void archive(),
        },
      ]}
    />
  );
}

/** Archives or unarchives a conversation and reports trouble in a toast. True if it is done. */
async function setArchived(id: string, name: string, archived: boolean): Promise<boolean> {
  const failed = archived
    ? "Failed to archive conversation. Please try again."
    : "Failed to unarchive conversation. Please try again.";
  const command = { name: "set_conversation_archived", args: { id, archived } } as const;
  try {
    const result = await save(command, `${archived ? "Archive" : "Unarchive"} the conversation with ${name}`);
    if (!result.ok) {
      toast.error(`${failed} ${result.text}`);
      return false;
    }
  } catch (thrown) {
    toast.error(`${failed} ${storageTrouble(thrown)}`);
    return false;
  }
  const undo = { label: "Undo", onAction: () => void setArchived(id, name, !archived) };
  toast.success(archived ? "Conversation archived" : "Conversation is in the inbox again", undo);
  return true;
}
