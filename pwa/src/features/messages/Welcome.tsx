/** Owns what stands where no conversation is open (SPEC 2). */
import { MessagesSquare } from "lucide-react";
import { Button, EmptyState } from "../../ui";
import type { Starting } from "./useMessagesAddress";

export function Welcome({ onStart }: { onStart: (how: Starting) => void }) {
  return (
    <EmptyState
      className="content-center"
      icon={<MessagesSquare aria-hidden />}
      title="All your conversations in one place"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => onStart("search")}>Start New Conversation</Button>
          <Button kind="quiet" onClick={() => onStart("browse")}>
            Browse Contacts
          </Button>
        </div>
      }
    >
      What you write with no network is sent when it is back, in order.
    </EmptyState>
  );
}
