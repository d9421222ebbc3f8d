/** Owns writing to the sitter about a visit: the conversation opens with words that say which visit it is. */
import { MessageSquare, TriangleAlert } from "lucide-react";
import { useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDateHeading, formatNames, type ServiceView } from "../../core";
import { beginDraft, useReplica } from "../../data";
import { Button } from "../../ui";
import { ownClientId } from "./ownClient";

/** A message to the sitter as its draft has it. */
interface BegunMessage {
  content: string;
  images: readonly unknown[];
  /** The words that it began with; absent where nothing was begun for the person. */
  begun?: string;
}

/** True if the person has added nothing to the words that the message began with. */
const isUntouched = ({ content, images, begun = "" }: BegunMessage): boolean =>
  images.length === 0 && ["", begun.trim()].includes(content.trim());

export function WriteAbout({ visit }: { visit: ServiceView }) {
  const [, navigate] = useLocation();
  const now = useMinute();
  const hasBegun = useReplica((phone) => visit.date <= phone.today(now));
  const write = async (begin: string) => {
    const key = `message-${ownClientId()}`;
    const day = `${formatDateHeading(visit.date)}, ${visit.window || visit.formatted_time}`;
    const begun = `${begin} ${day} (${formatNames([...visit.dogs])}): `;
    const words: BegunMessage = { content: begun, images: [], begun };
    // What was typed before is not lost for it; where the disk fails, the message begins empty.
    await beginDraft(key, words, isUntouched).catch(() => undefined);
    navigate(`/client/messages/${ownClientId()}`);
  };
  return (
    <>
      <Button
        kind="plain"
        icon={<MessageSquare aria-hidden className="size-5" />}
        onClick={() => void write("About the visit on")}
      >
        Message about this visit
      </Button>
      {hasBegun && (
        <Button
          kind="plain"
          icon={<TriangleAlert aria-hidden className="size-5" />}
          onClick={() => void write("There was a problem with the visit on")}
        >
          Report a problem
        </Button>
      )}
    </>
  );
}
