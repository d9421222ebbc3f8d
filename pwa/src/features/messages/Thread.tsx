/** Owns an open conversation: its messages by days, what is being written, and that what is seen counts as read. */
import { ArrowDown } from "lucide-react";
import { type DragEvent, Fragment, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link } from "wouter";
import type { MessageDay, Thread as ThreadView } from "../../core";
import { useIsTyping } from "../../data/sync/live";
import { inviteAddress } from "../../parts/sharing/inviteAddress";
import { Button } from "../../ui";
import { Bubble } from "./Bubble";
import { Composer } from "./Composer";
import { FailedMessage } from "./FailedMessage";
import { useFailedSends } from "./failedSends";
import { MessageActs } from "./MessageActs";
import { useComposing } from "./useComposing";
import { useKeptPlace } from "./useKeptPlace";
import { useMarkRead } from "./useMarkRead";

interface ThreadProps {
  thread: ThreadView;
  quickReplies: readonly string[];
  /** Older messages are to be shown, too. */
  onOlder: () => void;
  /** The message at which it opens. */
  found?: string | undefined;
  /** True if the field for a new message takes the focus at once. */
  autoFocus: boolean;
}

/** With another `key` for each conversation and each message that was looked for. */
export function Thread({ thread, quickReplies, onOlder, found, autoFocus }: ThreadProps) {
  const { card, days, more, closed, note: readers, is_new } = thread;
  const { id, name } = card;
  const failed = useFailedSends(id);
  const composing = useComposing(id, name);
  const isTyping = useIsTyping(id);
  // The line above what was new stays while one looks at it.
  const [firstNew] = useState(thread.first_unread);
  // Whoever has looked for a message begins there, unless it has gone.
  const [start] = useState(() => days.flatMap((it) => it.messages).find((it) => it.id === found)?.id);
  const { box, content, isAtEnd, toEnd, note } = useKeptPlace(days, start ?? firstNew);
  useMarkRead(thread, isAtEnd);

  const showOlder = () => {
    note();
    onOlder();
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file || closed) return;
    event.preventDefault();
    void composing.pick(file);
  };
  return (
    // Dropping is one of three ways to an image; the button and the keyboard have their own.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="flex min-h-0 flex-1 flex-col"
      onDrop={drop}
      onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
    >
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          ref={box}
          // It scrolls, and may have nothing in it that takes the focus.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="log"
          aria-label={`Messages with ${name}`}
          className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 -outline-offset-3 [overflow-anchor:none] md:px-5"
        >
          <div ref={content} className="grid min-h-full content-end gap-3 py-3">
            {/* With each page anew: it may be near at once again, which is no change to be told of. */}
            {more > 0 && <Older key={more} box={box} onSeen={showOlder} />}
            {is_new && failed.length === 0 && <p className="py-8 text-center text-ink-2">Say hello to {name}.</p>}
            <Days days={days} name={name} isUnread={readers !== null} firstNew={firstNew} found={start} />
            {failed.length > 0 && (
              <ol aria-label="Not sent" className="grid gap-3">
                {failed.map((it) => (
                  <FailedMessage key={it.id} item={it} />
                ))}
              </ol>
            )}
            <p role="status" className="text-14 text-ink-2 italic empty:hidden">
              {isTyping && `${name} is typing…`}
            </p>
          </div>
        </div>
        {!isAtEnd && (
          <Button
            kind="quiet"
            icon={<ArrowDown aria-hidden className="size-5" />}
            className="absolute right-4 bottom-3 shadow-float"
            onClick={toEnd}
          >
            {thread.to_mark_read === null ? "To the newest" : "New messages"}
          </Button>
        )}
      </div>
      {readers && (
        <p className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line bg-card px-4 text-14 text-ink-2 md:px-5">
          {readers}
          <Link to={inviteAddress(id)} className="hit py-3 font-bold text-ink underline underline-offset-2">
            Invite
          </Link>
        </p>
      )}
      {closed ? (
        <p className="border-t border-line bg-card px-5 py-4 text-center text-ink-2">{closed}</p>
      ) : (
        <Composer
          composing={composing}
          conversationId={id}
          name={name}
          quickReplies={quickReplies}
          autoFocus={autoFocus && start === undefined}
        />
      )}
    </div>
  );
}

interface DaysProps {
  days: readonly MessageDay[];
  name: string;
  /** The other one has no login to read them with. */
  isUnread: boolean;
  /** The first that was new when the conversation was opened. */
  firstNew: string | null;
  /** The one that was looked for. */
  found: string | undefined;
}

function Days({ days, name, isUnread, firstNew, found }: DaysProps) {
  const lastMine = days.flatMap((it) => it.messages).findLast((it) => it.is_mine)?.id;
  return days.map(({ date, heading, messages }) => (
    <section key={date} aria-label={heading} className="grid gap-3">
      <p className="num text-center text-12 font-bold text-ink-2">{heading}</p>
      <ol className="grid gap-1">
        {messages.map((it) => (
          <Fragment key={it.id}>
            {it.id === firstNew && (
              <li className="flex items-center gap-3 py-1 text-12 font-bold text-tag-ink before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
                New
              </li>
            )}
            {it.is_after_gap && <li className="num pt-2 text-center text-12 text-ink-2">{it.time}</li>}
            <Bubble
              message={it}
              name={name}
              hasState={it.id === lastMine}
              isUnread={isUnread}
              isFound={it.id === found}
              acts={<MessageActs message={it} />}
            />
          </Fragment>
        ))}
      </ol>
    </section>
  ));
}

/** Above the oldest that is shown: when it comes near, older ones are shown. */
function Older({ box, onSeen }: { box: RefObject<HTMLElement | null>; onSeen: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    if (!mark.current) return undefined;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen(), {
      root: box.current,
      rootMargin: "400px 0px 0px",
    });
    watch.observe(mark.current);
    return () => watch.disconnect();
  }, [box]);
  return <div ref={mark} className="h-px" />;
}
