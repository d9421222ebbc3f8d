/** Owns writing to a client from elsewhere in the app: the conversation as it stands, above the screen that one was at. */
import { Link } from "wouter";
import { useHasPulledSince } from "../../data";
import { NotHere } from "../../parts/NotHere";
import { Button, Dialog } from "../../ui";
import { QUICK_REPLIES } from "./quickReplies";
import { Thread } from "./Thread";
import { conversationPath } from "./useMessagesAddress";
import { useThread } from "./useThread";

interface MessageDialogProps {
  clientId: string;
  onClose: () => void;
}

export default function MessageDialog({ clientId, onClose }: MessageDialogProps) {
  const { thread, showOlder } = useThread(clientId);
  const isGone = useHasPulledSince(clientId);
  if (!thread) {
    return (
      <Dialog open title="Message" onClose={onClose}>
        <NotHere what="conversation" isGone={isGone} action={<Button onClick={onClose}>Close</Button>} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      title={`Message ${thread.card.name}`}
      sub={
        <Link to={conversationPath("sitter", clientId)} className="hit font-medium underline underline-offset-2">
          Open the conversation
        </Link>
      }
      onClose={onClose}
    >
      <div className="-mx-5 -mb-[max(20px,env(safe-area-inset-bottom))] flex h-[min(70dvh,40rem)] flex-col border-t border-line bg-paper">
        <Thread thread={thread} quickReplies={QUICK_REPLIES.sitter} onOlder={showOlder} autoFocus />
      </div>
    </Dialog>
  );
}
