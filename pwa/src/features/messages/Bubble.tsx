/** Owns one message as it is shown: its words with the links in them, its image, and how far it has got. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { MessageView, TextPart } from "../../core";
import { usePhotoUrl } from "../../data";
import { useUploadShare } from "../../data/photos/uploads";
import { cx, Dialog, Photo, ProgressBar } from "../../ui";
import { DeliveryState } from "./DeliveryState";

const FOUND = "group-focus:shadow-[0_0_0_3px_var(--color-tag)] forced-colors:group-focus:outline-3";

interface BubbleProps {
  message: MessageView;
  /** The other one. */
  name: string;
  /** True if the state of delivery is shown, as on the newest message of one's own; one that waits shows it always. */
  hasState: boolean;
  /** True if the other one has no login: what the server has of it reaches nobody yet. */
  isUnread: boolean;
  /** It was looked for: it has the focus when the conversation opens, and is marked for as long as it keeps it. */
  isFound: boolean;
  /** Buttons for the message. */
  acts?: ReactNode;
}

export function Bubble({ message, name, hasState, isUnread, isFound, acts }: BubbleProps) {
  const { id, is_mine, by, is_deleted, parts, photo, state, time } = message;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFound) item.current?.focus({ preventScroll: true });
  }, [isFound]);
  return (
    <li
      ref={item}
      data-item={id}
      tabIndex={isFound ? -1 : undefined}
      className={cx("group grid max-w-[min(85%,60ch)] gap-1", is_mine && "justify-self-end")}
    >
      <div className="flex items-center gap-1">
        {is_mine && acts}
        <div
          title={time}
          className={cx(
            "grid min-w-0 gap-2 rounded-large px-4 py-2 wrap-anywhere",
            is_deleted && "text-ink-2 italic",
            isFound && FOUND,
            is_mine ? "rounded-br-[4px] bg-sunken" : "rounded-bl-[4px] border border-line bg-card",
          )}
        >
          {by ? (
            <p className="text-14 font-bold text-ink-2">
              <bdi>{by}</bdi>
              <span className="sr-only">:</span>
            </p>
          ) : (
            <span className="sr-only">{is_mine ? "You" : name}:</span>
          )}
          {photo && <SentImage photo={photo} isWaiting={state === "waiting"} />}
          <Words parts={parts} />
        </div>
      </div>
      {state && (hasState || state === "waiting") && <DeliveryState state={state} isUnread={isUnread} />}
    </li>
  );
}

/** Shows the text of a message; its links open beside the app. */
function Words({ parts }: { parts: readonly TextPart[] }) {
  if (parts.length === 0) return null;
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {parts.map(({ text, href }, place) =>
        href === undefined ? (
          text
        ) : (
          <a
            // The words of a message do not change.
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            href={href}
            target="_blank"
            rel="noreferrer"
            className="font-medium underline underline-offset-2"
          >
            {text}
          </a>
        ),
      )}
    </p>
  );
}

/** Its place is kept while it loads. A press shows all of it. */
function SentImage({ photo, isWaiting }: { photo: string; isWaiting: boolean }) {
  const url = usePhotoUrl(photo);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Open the image"
        className="-mx-2 block rounded-small"
        onClick={() => setOpen(true)}
      >
        <Photo src={url} alt="" className="aspect-square w-60 max-w-full rounded-small" />
      </button>
      {isWaiting && <Sending photo={photo} />}
      <Dialog open={isOpen} size="large" title="Image" onClose={() => setOpen(false)}>
        {url && <img src={url} alt="Sent with a message" className="mx-auto max-h-[78dvh] max-w-full rounded-small" />}
      </Dialog>
    </>
  );
}

function Sending({ photo }: { photo: string }) {
  const share = useUploadShare(photo);
  if (share === undefined) return null;
  const percent = `${Math.round(share * 100)}%`;
  return (
    <div className="grid gap-1">
      <ProgressBar label="Sending the image" value={share} />
      <p className="num text-12 text-ink-2">{percent}</p>
    </div>
  );
}
