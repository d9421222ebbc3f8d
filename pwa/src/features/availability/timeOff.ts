/** Owns a time off on its way from the form: the command that it comes to, how that is saved, and its undo. */
import {
  type BlockedTime,
  newId,
  type TakeTimeOff,
  type TimeOffChoice,
  type TimeOffClient,
  type TimeOffMessage,
  type TimeOffPlan,
  timeOffDone,
} from "../../core";
import { business, type SaveOptions, type SaveResult, save } from "../../data";
import { type EditedText, timesHint } from "../../parts/visit/editedText";
import { toast } from "../../ui";

/**
 * Decisions of the form on the visits in the time.
 * Stored on phones. Only add optional fields; never rename.
 */
export interface TimeOffFields {
  /** Decisions on visits; those without one are kept. */
  choices: TimeOffChoice[];
  /** Messages are written to the clients. */
  tells: boolean;
  /** Messages that were edited, by client. */
  texts: Record<string, string>;
  /** The text by the template that each edited one replaced, by client. */
  usual?: Record<string, string>;
}

export const NO_DECISIONS: TimeOffFields = { choices: [], tells: true, texts: {} };

export const visitsOf = ({ days }: TimeOffPlan) => days.flatMap((it) => it.visits);

/** The text to a client: as it was edited, else by the template. */
export const textFor = ({ id, content }: TimeOffClient, { texts }: TimeOffFields): string => texts[id] ?? content;

/** Returns a hint where a decision has changed since the message to a client was edited. */
export function hintFor({ id, content }: TimeOffClient, { texts, usual }: TimeOffFields): string | undefined {
  const text = texts[id];
  const edited: EditedText | undefined = text === undefined ? undefined : { text, usual: usual?.[id] };
  return timesHint(edited, content);
}

type Messages = Required<Pick<TimeOffFields, "texts" | "usual">>;

/** The messages after one was edited. One that is as the template has it again follows the decisions again. */
export function withText(
  { texts, usual = {} }: TimeOffFields,
  { id, content }: Pick<TimeOffClient, "id" | "content">,
  text: string,
): Messages {
  const without = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(([it]) => it !== id));
  if (text === content) return { texts: without(texts), usual: without(usual) };
  return { texts: { ...texts, [id]: text }, usual: { ...usual, [id]: content } };
}

/**
 * The decisions in a command that was turned down, planned anew in `plan`. Messages by the template follow new decisions,
 * and clients who were left out stay so.
 */
export function decisionsIn({ visits, messages = [] }: TakeTimeOff, plan: TimeOffPlan): TimeOffFields {
  const fields: TimeOffFields = { ...NO_DECISIONS, choices: visits ?? [], tells: messages.length > 0 };
  if (!fields.tells) return fields;
  const textTo = (id: string) => messages.find((it) => it.client_id === id)?.content ?? "";
  return plan.clients.reduce((all, it) => ({ ...all, ...withText(all, it, textTo(it.id)) }), fields);
}

const clean = ({ to_date, to_start_time, ...choice }: TimeOffChoice): TimeOffChoice =>
  choice.way === "move" ? { ...choice, to_date: to_date ?? null, to_start_time: to_start_time ?? null } : choice;

/** The command for what was decided. A message that was emptied is not sent. */
export function commandOf(
  id: string,
  blocked_time: Partial<BlockedTime>,
  plan: TimeOffPlan,
  fields: TimeOffFields,
): TakeTimeOff {
  const messages: TimeOffMessage[] = fields.tells
    ? plan.clients
        .map((it) => ({ id: newId(), client_id: it.id, content: textFor(it, fields) }))
        .filter((it) => it.content.trim() !== "")
    : [];
  return { id, blocked_time, visits: visitsOf(plan).map((it) => clean(it.choice)), messages };
}

interface TimeOffWords {
  sentence: string;
  /** The clients to whom messages go in the app. */
  written: readonly string[];
  /** Count of the messages that the sitter passes on. */
  passedOn: number;
  navigate: (path: string) => void;
}

/** Saves a time off, says what it did, and offers the way back. */
export async function saveTimeOff(
  command: TakeTimeOff,
  words: TimeOffWords,
  options: SaveOptions,
): Promise<SaveResult> {
  const phone = await business().wholePhone();
  const undo = phone.undoTimeOff(command);
  const base_rev = phone.cursor();
  const result = await save({ name: "take_time_off", args: command }, words.sentence, options);
  if (!result.ok) return result;
  const { passedOn } = words;
  const said = [
    "Blocked time created successfully.",
    timeOffDone(command),
    passedOn > 0 && (passedOn === 1 ? "1 message is under To send." : `${passedOn} messages are under To send.`),
  ];
  toast.success(said.filter(Boolean).join(" "), {
    label: "Undo",
    onAction: () => void takeBack(undo, base_rev, words),
  });
  return result;
}

async function takeBack(
  undo: Parameters<typeof save>[0],
  base_rev: number,
  { sentence, written, navigate }: TimeOffWords,
): Promise<void> {
  try {
    const result = await save(undo, `Undo: ${sentence}`, { base_rev });
    if (!result.ok) {
      toast.error(result.text);
      return;
    }
    if (written.length === 0) {
      toast.info("The time is free again, and the visits are as they were.");
      return;
    }
    const [only] = written.length === 1 ? written : [];
    toast.info(
      "The time is free again, and the visits are as they were. Messages to clients are not taken back: write to them again.",
      {
        label: "Write again",
        onAction: () => navigate(only === undefined ? "/messages" : `/messages/${only}`),
      },
    );
  } catch {
    toast.error("This could not be undone");
  }
}
