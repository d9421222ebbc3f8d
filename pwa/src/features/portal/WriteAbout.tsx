/** Owns writing to the sitter about a visit: the conversation opens with words that say which visit it is. */
import { MessageSquare, TriangleAlert } from "lucide-react";
import { useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import { formatDateHeading, formatNames, type ServiceView } from "../../core";
import { handOnDraft, hasDraft, useReplica } from "../../data";
import { Button } from "../../ui";
import { ownClientId } from "./ownClient";

export function WriteAbout({ visit }: { visit: ServiceView }) {
  const [, navigate] = useLocation();
  const now = useMinute();
  const hasBegun = useReplica((phone) => visit.date <= phone.today(now));
  const write = async (begin: string) => {
    const key = `message-${ownClientId()}`;
    const day = `${formatDateHeading(visit.date)}, ${visit.window || visit.formatted_time}`;
    const words = { content: `${begin} ${day} (${formatNames([...visit.dogs])}): `, images: [] };
    // What was typed before is not lost for it.
    if (!(await hasDraft(key).catch(() => true))) await handOnDraft(key, visit.id, words).catch(() => undefined);
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
