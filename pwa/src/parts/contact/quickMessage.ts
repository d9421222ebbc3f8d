/** Owns messages of fixed words that are sent with one tap, and taken back with another. */
import { newId } from "../../core";
import { canSendNow, save } from "../../data";
import { toast } from "../../ui";

/** Somebody who is written to: the id of the client, which is the conversation's, and the name. */
interface Recipient {
  id: string;
  name: string;
}

/**
 * Sends the words at once and says so, with an undo; also how far they are, unless the screen does (`isFollowed`). Returns
 * the message's id; nothing where it failed.
 */
export async function sendQuickMessage(
  { id, name }: Recipient,
  content: string,
  isFollowed = false,
): Promise<string | undefined> {
  const message = newId();
  try {
    const args = { id: message, conversation_id: id, content, photo: null };
    const result = await save({ name: "send_message", args }, `Message to ${name}`);
    if (!result.ok) {
      toast.error(result.text);
      return undefined;
    }
  } catch {
    toast.error("Failed to send message. Please try again.");
    return undefined;
  }
  const when = canSendNow() ? " is on its way" : " waits to be sent";
  toast.success(`“${content}” to ${name}${isFollowed ? "" : when}`, {
    label: "Undo",
    onAction: () => void takeBack(message),
  });
  return message;
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
