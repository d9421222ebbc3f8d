/** Owns where a message is written: Enter sends, Shift and Enter add a line (SPEC 5). What is typed survives a killed tab. */
import { ImagePlus, MessageSquareQuote, SendHorizontal, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { type Counter, messageCounter } from "../../core";
import { useBlobUrl } from "../../data";
import { sayTyping } from "../../data/sync/live";
import { cx, IconButton, Menu } from "../../ui";
import { CONTROL, FieldErrorText } from "../../ui/Field";
import { textState } from "../../ui/textRules";
import type { Composing } from "./useComposing";

/** Characters that fit beside the buttons on a phone; a longer text has the whole width, above them. */
const ONE_ROW = 40;

interface ComposerProps {
  composing: Composing;
  conversationId: string;
  /** Name of the recipient. */
  name: string;
  /** Texts that are sent so often that they need not be typed. */
  quickReplies: readonly string[];
  /** On a desktop, where no keyboard of glass jumps up with it. */
  autoFocus: boolean;
}

export function Composer({ composing, conversationId, name, quickReplies, autoFocus }: ComposerProps) {
  const { content, image, problem, isReady, isBusy, write, pick, removeImage, send } = composing;
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const { wrong } = textState("content", content);
  const counter = messageCounter(content);
  const said = problem ?? wrong;
  const isLong = ONE_ROW < content.length;
  const takesFocus = autoFocus && isReady;
  useEffect(() => {
    if (takesFocus) input.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const press = (event: KeyboardEvent) => {
    // While a word is being composed, as in Japanese, Enter ends the word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const take = (reply: string) => {
    write(content.trim() ? `${content.trimEnd()} ${reply}` : reply);
    input.current?.focus();
  };

  return (
    <form
      aria-label={`Message to ${name}`}
      className="grid gap-1 border-t border-line bg-card px-2 pt-2 pb-[max(8px,env(safe-area-inset-bottom))] md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
        input.current?.focus();
      }}
    >
      {image && <PickedImage image={image.full} onRemove={removeImage} />}
      <div className="flex flex-wrap items-end gap-1">
        <ImageButton isDisabled={!isReady || isBusy} onPick={(file) => void pick(file)} />
        {quickReplies.length > 0 && (
          <Menu
            label="Quick replies"
            trigger={(props) => (
              <IconButton label="Quick replies" className="text-ink-2" {...props}>
                <MessageSquareQuote />
              </IconButton>
            )}
            items={quickReplies.map((reply) => ({ label: reply, onSelect: () => take(reply) }))}
          />
        )}
        <label htmlFor={id} className="sr-only">
          Message
        </label>
        <textarea
          ref={input}
          id={id}
          dir="auto"
          name="content"
          rows={1}
          placeholder="Write a message"
          enterKeyHint="send"
          value={content}
          disabled={!isReady}
          aria-invalid={said ? true : undefined}
          aria-describedby={cx(said && `${id}-error`, counter !== "hidden" && `${id}-count`) || undefined}
          onChange={(event) => {
            write(event.target.value);
            sayTyping(conversationId);
          }}
          onKeyDown={press}
          onPaste={(event) => {
            const [file] = event.clipboardData.files;
            if (!file) return;
            event.preventDefault();
            void pick(file);
          }}
          className={cx(
            CONTROL,
            "field-sizing-content max-h-[30dvh] min-w-32 flex-1 resize-none py-[11px]",
            isLong && "max-md:order-first max-md:basis-full",
          )}
        />
        <IconButton
          label="Send"
          type="submit"
          disabled={!isReady || isBusy}
          className="ml-auto bg-act text-on-act hover:bg-act hover:opacity-90 forced-colors:border"
        >
          <SendHorizontal />
        </IconButton>
      </div>
      <div className="flex flex-wrap justify-between gap-x-3 px-1 empty:hidden" aria-live="polite">
        <FieldErrorText id={`${id}-error`} text={said} />
        <Count id={`${id}-count`} content={content} counter={counter} />
      </div>
    </form>
  );
}

/** SPEC 9: beyond 500 characters, and red beyond 1000. */
function Count({ id, content, counter }: { id: string; content: string; counter: Counter }) {
  if (counter === "hidden") return null;
  return (
    <p
      id={id}
      // Read when it is asked for, and not with each letter.
      aria-live="off"
      className={cx("num ml-auto text-12", counter === "red" ? "font-bold text-danger" : "text-ink-2")}
    >
      {Array.from(content).length.toLocaleString("en-US")} characters
    </p>
  );
}

function ImageButton({ isDisabled, onPick }: { isDisabled: boolean; onPick: (file: File | undefined) => void }) {
  const id = useId();
  return (
    <span className="shrink-0">
      <input
        id={id}
        type="file"
        accept="image/*,.heic,.heif"
        disabled={isDisabled}
        className="peer sr-only"
        onChange={(event) => {
          onPick(event.target.files?.[0]);
          // The same file again must be a change, too.
          event.target.value = "";
        }}
      />
      <label
        htmlFor={id}
        title="Add an image"
        className="grid size-12 cursor-pointer place-items-center rounded-large text-ink-2 transition-colors peer-focus-visible:outline-3 peer-focus-visible:outline-scheduled peer-disabled:opacity-45 hover:bg-sunken"
      >
        <ImagePlus aria-hidden className="size-[22px]" />
        <span className="sr-only">Add an image</span>
      </label>
    </span>
  );
}

function PickedImage({ image, onRemove }: { image: Blob; onRemove: () => void }) {
  const url = useBlobUrl(image);
  return (
    <div className="flex items-center gap-2 pl-1">
      {url && <img src={url} alt="To be sent" className="size-20 rounded-small bg-sunken object-cover" />}
      <IconButton label="Remove the image" onClick={onRemove} className="text-ink-2">
        <X />
      </IconButton>
    </div>
  );
}
