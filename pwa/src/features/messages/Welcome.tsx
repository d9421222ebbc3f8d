/** Owns what stands where no conversation is open (SPEC 2). */
import { MessagesSquare } from "lucide-react";
import { Button, EmptyState } from "../../ui";
import type { Starting } from "./useMessagesAddress";

interface WelcomeProps {
  onStart: (how: Starting) => void;
  /** True if there is only one to write to: nobody has to be chosen. */
  hasOneContact: boolean;
}

export function Welcome({ onStart, hasOneContact }: WelcomeProps) {
  return (
    <EmptyState
      className="content-center"
      icon={<MessagesSquare aria-hidden />}
      title={hasOneContact ? "Your messages" : "All your conversations in one place"}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => onStart("search")}>
            {hasOneContact ? "Write to your sitter" : "Start New Conversation"}
          </Button>
          {!hasOneContact && (
            <Button kind="quiet" onClick={() => onStart("browse")}>
              Browse Contacts
            </Button>
          )}
        </div>
      }
    >
      You can write without a network, too: your messages are sent in order once there is a connection.
    </EmptyState>
  );
}
