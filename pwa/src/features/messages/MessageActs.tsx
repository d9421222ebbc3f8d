/** Owns what can be done with one's own message that was sent: to take it back, for all. */
import { MoreHorizontal, Trash2 } from "lucide-react";
import type { MessageView } from "../../core";
import { save, storageTrouble } from "../../data";
import { confirm, IconButton, Menu, toast } from "../../ui";

export function MessageActs({ message: { id, may_delete, time } }: { message: MessageView }) {
  if (!may_delete) return null;
  const remove = async () => {
    const question = {
      title: "Delete this message?",
      text: "It disappears for everybody in this conversation. It may have been read already.",
      action: "Delete",
      danger: true,
    };
    if (!(await confirm(question))) return;
    try {
      const result = await save({ name: "delete_message", args: { id } }, "Delete a message");
      if (!result.ok) toast.error(result.text);
    } catch (thrown) {
      toast.error(storageTrouble(thrown));
    }
  };
  return (
    <span className="shrink-0 text-ink-3 transition-opacity md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100">
      <Menu
        label={`Message of ${time}`}
        trigger={(props) => (
          <IconButton label={`More for the message of ${time}`} {...props}>
            <MoreHorizontal />
          </IconButton>
        )}
        items={[{ label: "Delete", icon: <Trash2 />, danger: true, onSelect: () => void remove() }]}
      />
    </span>
  );
}
