/** Owns the messages that a sitter sends with one tap: in the app to a client with a login, else as a text to be sent. */
import { newId } from "../../core";
import { canSendNow, save } from "../../data";
import { toast, useBusy } from "../../ui";
import { conversationPath, type InPortal, textLink } from "./contact";

const REPLIES = [
  { label: "10 min late", text: "I'm running about 10 minutes late." },
  { label: "On my way", text: "I'm on my way." },
] as const;

const CHIP =
  "inline-flex min-h-12 items-center rounded-large border border-line bg-card px-3 py-1 text-14 font-medium " +
  "transition-[background-color,scale] hover:bg-sunken active:scale-[.98]";

/** Nothing for a client who can be reached by neither way. */
export function QuickReplies({ client }: { client: InPortal | null }) {
  const { busy, run } = useBusy();
  if (!client || !(client.in_portal || client.phone)) return null;
  const isInApp = conversationPath(client) !== undefined;
  return (
    <ul aria-label={`Quick replies to ${client.name}`} className="relative z-1 flex flex-wrap gap-2">
      {REPLIES.map(({ label, text }) => (
        <li key={label}>
          {isInApp ? (
            <button type="button" className={CHIP} disabled={busy} onClick={() => void run(() => send(client, text))}>
              {label}
            </button>
          ) : (
            <a href={textLink(client.phone ?? "", text)} className={CHIP}>
              {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

async function send({ id, name }: InPortal, content: string): Promise<void> {
  const message = newId();
  try {
    const args = { id: message, conversation_id: id, content, photo: null };
    const result = await save({ name: "send_message", args }, `Message to ${name}`);
    if (!result.ok) {
      toast.error(result.text);
      return;
    }
  } catch {
    toast.error("Failed to send message. Please try again.");
    return;
  }
  const when = canSendNow() ? "is on its way" : "waits to be sent";
  toast.success(`“${content}” to ${name} ${when}`, { label: "Undo", onAction: () => void takeBack(message) });
}

async function takeBack(id: string): Promise<void> {
  try {
    const result = await save({ name: "delete_message", args: { id } }, "Delete a message");
    if (result.ok) toast.info(canSendNow() ? "Message deleted" : "Message deleted on this device");
    else toast.error(result.text);
  } catch {
    toast.error("This could not be undone");
  }
}
