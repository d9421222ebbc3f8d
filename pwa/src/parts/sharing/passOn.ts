/** Owns what is done with a link that the sitter passes on: its text, its mail, and noting that it went. */
import type { Shared, ToSend } from "../../core";
import { save, storageTrouble } from "../../data";
import { toast } from "../../ui";
import { textLink } from "../contact/contact";

export const urlOf = ({ link }: ToSend): string => location.origin + link;

/** The words with the link after them, if there is one. */
export const wordsOf = (item: ToSend): string => (item.link ? `${item.words} ${urlOf(item)}` : item.words);

/** A text message that is ready to be sent. */
export const textTo = (item: ToSend): string => textLink(item.phone, wordsOf(item));

/** A mail that is ready to be sent. */
export const mailTo = (item: ToSend): string =>
  `mailto:${encodeURIComponent(item.email)}?subject=${encodeURIComponent(item.title)}&body=${encodeURIComponent(
    wordsOf(item),
  )}`;

type Passed = Pick<ToSend, "id" | "what" | "client_name"> & Partial<Pick<ToSend, "client_id">>;

/** Notes that its link went to the client; whether that is saved. */
export const markPassedOn = (item: Passed): Promise<boolean> => mark(item, true);

/** The same, said and with a way back. */
export async function passedOn(item: Passed): Promise<void> {
  if (!(await mark(item, true))) return;
  toast.success(`Marked as sent to ${item.client_name}`, {
    label: "Undo",
    onAction: () => void mark(item, false),
  });
}

/** Notes that all of these went, said and with a way back. */
export async function allPassedOn(items: readonly Passed[]): Promise<void> {
  const done: Passed[] = [];
  for (const item of items) {
    // One that cannot be saved has said why, and the next one would say the same.
    if (!(await mark(item, true))) break;
    done.push(item);
  }
  if (done.length === 0) return;
  toast.success(`Marked ${done.length} as sent`, {
    label: "Undo",
    onAction: () => void takenBack(done),
  });
}

async function takenBack(items: readonly Passed[]): Promise<void> {
  for (const item of items) if (!(await mark(item, false))) return;
}

const NOUN: Record<Shared, string> = { report: "report", invoice: "invoice", time_off: "message", delay: "message" };

async function mark({ id, what, client_id, client_name }: Passed, passed_on: boolean): Promise<boolean> {
  const sentence = `Mark the ${NOUN[what]} for ${client_name} as ${passed_on ? "sent" : "not sent yet"}`;
  try {
    const result = await save(
      { name: "mark_passed_on", args: { id, what, passed_on, ...(what === "time_off" && { client_id }) } },
      sentence,
    );
    if (!result.ok) toast.error(result.text);
    return result.ok;
  } catch (error) {
    toast.error(storageTrouble(error));
    return false;
  }
}
