/** Owns what is being written in a conversation: its draft, the image beside it, and sending both as one message. */
import { useRef, useState } from "react";
import { newId } from "../../core";
import { type StoredPhoto, save, storageTrouble, useDraft } from "../../data";
import { prepareMessageImage } from "../../data/photos/preparePhoto";
import { useBusy } from "../../ui";

interface Words {
  content: string;
  /** At most one, as a message has. */
  images: readonly StoredPhoto[];
}

export interface Composing {
  content: string;
  image: StoredPhoto | undefined;
  /** Sentence about a fault in it, or why it could not be sent. */
  problem: string | undefined;
  /** True once the stored draft has been looked for. */
  isReady: boolean;
  isBusy: boolean;
  write: (content: string) => void;
  pick: (file: File | undefined) => Promise<void>;
  removeImage: () => void;
  send: () => Promise<void>;
}

/** `name` is the one that it is written to. */
export function useComposing(conversationId: string, name: string): Composing {
  const key = `message-${conversationId}`;
  const draft = useDraft<Words>(key, { content: "", images: [] });
  const [problem, setProblem] = useState<string>();
  const { busy, run } = useBusy();
  const { content, images } = draft.value;
  const typed = useRef(content);
  typed.current = content;

  const write = (content: string) => {
    setProblem(undefined);
    typed.current = content;
    draft.set({ content });
  };
  const pick = (file: File | undefined) =>
    run(async () => {
      if (!file) return;
      const prepared = await prepareMessageImage(file);
      setProblem(prepared.ok ? undefined : prepared.text);
      if (prepared.ok) draft.set({ images: [prepared.photo] });
    });
  /** Begins the next message with the text that was typed while the last one was being saved. */
  const begin = (content: string) => {
    if (content.trim()) draft.set({ content, images: [] });
    else draft.clear();
  };
  const send = () =>
    run(async () => {
      const args = { id: newId(), conversation_id: conversationId, content, photo: images[0]?.id ?? null };
      try {
        const result = await save({ name: "send_message", args }, `Message to ${name}`, {
          draft: key,
          photos: [...images],
          // Drawn together with the message: what was typed is in one place or the other.
          onShown: () => begin(typed.current.startsWith(content) ? typed.current.slice(content.length) : typed.current),
        });
        setProblem(result.ok ? undefined : (result.fields[0]?.text ?? result.text));
      } catch (thrown) {
        setProblem(`Failed to send message. Please try again. ${storageTrouble(thrown)}`);
      }
    });

  return {
    content,
    image: images[0],
    problem,
    isReady: draft.ready,
    isBusy: busy,
    write,
    pick,
    removeImage: () => draft.set({ images: [] }),
    send,
  };
}
