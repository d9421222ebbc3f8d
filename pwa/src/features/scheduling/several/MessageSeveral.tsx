/** Owns writing to the clients of several visits: one message for each, in Walkies or by the sitter's own text or mail. */
import { Mail, MessageSquareText } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { newId, type Recipient, setApart } from "../../../core";
import { canSendNow, type SaveResult, save, useDraft, useRead } from "../../../data";
import { textLink } from "../../../parts/contact/contact";
import { Button, Dialog, DialogActions, Form, OutsideLink, Skeleton, SubmitButton, TextArea, toast } from "../../../ui";
import { Restored } from "../../../ui/Restored";

const DRAFT = "schedule:message";

interface MessageDraft {
  text: string;
  /** Ids of the clients whose message is saved: nobody gets it twice. */
  written: string[];
}

const EMPTY: MessageDraft = { text: "", written: [] };

interface MessageSeveralProps {
  ids: string[];
  onClose: () => void;
  onDone: () => void;
}

export function MessageSeveral({ ids, onClose, onDone }: MessageSeveralProps) {
  const recipients = useRead((phone) => phone.recipientsOf(ids), ids.join());
  const draft = useDraft(DRAFT, EMPTY);
  const { text, written } = draft.value;
  const inWalkies = recipients.filter((it) => it.has_messages);
  const done = inWalkies.filter((it) => written.includes(it.id));
  const rest = inWalkies.filter((it) => !written.includes(it.id));
  const others = recipients.filter((it) => !it.has_messages);
  const submit = async () => {
    if (!text.trim())
      return { text: "Please write a message", fields: [{ field: "content", text: "Please write a message" }] };
    let count = 0;
    let refused: Extract<SaveResult, { ok: false }> | undefined;
    for (const { id, name } of rest) {
      const args = { id: newId(), conversation_id: id, content: text.trim(), photo: null };
      // One after the other: a refusal for one client does not stop the messages to the others.
      const result = await save({ name: "send_message", args }, `Message to ${name}`);
      if (result.ok) {
        count += 1;
        draft.update((latest) => ({ written: [...latest.written, id] }));
      } else refused ??= result;
    }
    if (count > 0) toast.success(toldOf(count));
    if (refused) return refused;
    if (others.length === 0) onDone();
    return undefined;
  };
  // However the dialog closes, the back gesture included: a sent text is no draft for the next selection.
  const leave = useEffectEvent(() => {
    if (written.length > 0) draft.clear();
  });
  useEffect(() => () => leave(), []);
  return (
    <Dialog
      open
      onClose={onClose}
      title={recipients.length === 1 ? "Message to 1 client" : `Message to ${recipients.length} clients`}
    >
      {draft.ready ? (
        <Form onSubmit={submit} failed="Failed to send messages">
          {draft.restored && <Restored onStartOver={draft.clear} />}
          <TextArea
            name="content"
            label="Message"
            reader={{ reader: "message", says: "Each client gets it in their own conversation" }}
            value={text}
            onChange={(text) => draft.set({ text })}
          />
          {rest.length > 0 && <p className="text-14 text-ink-2 wrap-anywhere">In Walkies: {namesOf(rest)}</p>}
          {done.length > 0 && <p className="text-14 text-ink-2 wrap-anywhere">You have written to: {namesOf(done)}</p>}
          {others.length > 0 && <Others recipients={others} text={text} />}
          <DialogActions>
            <Button kind="quiet" onClick={onClose}>
              Close
            </Button>
            {rest.length > 0 && (
              <SubmitButton>{rest.length === 1 ? "Send message" : `Send ${rest.length} messages`}</SubmitButton>
            )}
          </DialogActions>
        </Form>
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}

const namesOf = (recipients: readonly Recipient[]): string => recipients.map((it) => setApart(it.name)).join(", ");

/** Words for messages that were saved: nobody has them yet. */
function toldOf(count: number): string {
  const what = count === 1 ? "1 message" : `${count} messages`;
  if (canSendNow()) return count === 1 ? `${what} is on its way` : `${what} are on their way`;
  return count === 1 ? `${what} goes out when there is a network` : `${what} go out when there is a network`;
}

function Others({ recipients, text }: { recipients: readonly Recipient[]; text: string }) {
  return (
    <section aria-labelledby="not-in-portal" className="grid gap-2">
      <h3 id="not-in-portal" className="text-14 text-ink-2">
        Not in the portal: text or email them yourself
      </h3>
      <ul className="grid gap-1">
        {recipients.map(({ id, name, phone, email }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <bdi className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</bdi>
            {phone && (
              <OutsideLink href={textLink(phone, text)} icon={<MessageSquareText aria-hidden className="size-5" />}>
                Text
              </OutsideLink>
            )}
            {email && (
              <OutsideLink
                href={`mailto:${email}?body=${encodeURIComponent(text)}`}
                icon={<Mail aria-hidden className="size-5" />}
              >
                Email
              </OutsideLink>
            )}
            {!phone && !email && <span className="text-14 text-ink-2">No phone, no email</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
