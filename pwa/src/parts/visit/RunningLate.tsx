/**
 * Owns 'Running late': one act that tells the clients of today's later visits the new times, and moves the visits if asked
 * to. The new times, the words and how each client hears of them are the core's.
 */
import { useMinute } from "../../browser/clock";
import { type AnnounceDelay, type Command, type DelayPlan, type LateClient, type LateVisit, newId } from "../../core";
import { business, canSendNow, save, useDraft, useRead, useSyncStatus } from "../../data";
import { useServicesUnderWay } from "../../data/walks/walks";
import {
  Banner,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  Form,
  NumberField,
  Segmented,
  Skeleton,
  SubmitButton,
  Switch,
  TextArea,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { useToday } from "../dates";
import { type EditedText, timesHint } from "./editedText";

/** Offered delays in minutes; 0 stands for another number. */
const OFFERED = [10, 20, 30, 45, 0] as const;

export default function RunningLate({ onClose }: { onClose: () => void }) {
  const today = useToday();
  return (
    <Dialog open title="Running late" sub="How much later is your next visit?" onClose={onClose} dismissible={false}>
      {/* Nothing that was chosen for a day goes on to the next. */}
      <Body key={today} today={today} onClose={onClose} />
    </Dialog>
  );
}

function Body({ today, onClose }: { today: string; onClose: () => void }) {
  const late = useRunningLate(today);
  const { draft, plan, clients } = late;
  const { offered, other } = draft.value;
  const send = async () => {
    if (plan.error) return { text: plan.error, fields: [{ field: "minutes", text: plan.error }] };
    const result = await late.announce();
    if (!result.ok) return result;
    onClose();
    return undefined;
  };
  const cancel = () => {
    draft.clear();
    onClose();
  };
  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  return (
    <Form onSubmit={send} failed="Failed to tell clients" className="grid grid-cols-1 gap-5">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <Segmented
        label="How late"
        value={offered}
        onChange={(offered) => draft.set({ offered })}
        options={OFFERED.map((value) => ({ value, label: value === 0 ? "Other" : `${value} min` }))}
      />
      {offered === 0 && (
        <NumberField
          name="minutes"
          label="Minutes"
          integer
          unit="min"
          value={other}
          onChange={(other) => draft.set({ other })}
          error={other === null ? undefined : (plan.error ?? undefined)}
        />
      )}
      {plan.visits.length === 0 ? (
        <p className="text-ink-2">No later visits today are affected.</p>
      ) : (
        <Visits plan={plan} isIn={late.isIn} onToggle={late.toggle} />
      )}
      {clients.length > 0 && (
        <>
          <Told clients={clients} edited={draft.value.texts} onText={late.setText} />
          {/* A text on To send is sent by the sitter, with and without a network. */}
          {!late.canSend && late.told.some((it) => !it.is_to_send) && (
            <Banner>
              This waits on this device until it can be sent. Clients whose new time has come by then are not told, and
              Needs attention names them.
            </Banner>
          )}
          <Switch
            name="moves_plan"
            label="Also move the times on the plan"
            hint="Otherwise clients see the expected time beside the planned one."
            checked={draft.value.movesPlan}
            onChange={(movesPlan) => draft.set({ movesPlan })}
          />
        </>
      )}
      <DialogActions>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        {clients.length > 0 && <SubmitButton>{actOf(late.told)}</SubmitButton>}
      </DialogActions>
    </Form>
  );
}

interface VisitsProps {
  plan: DelayPlan;
  isIn: (visit: LateVisit) => boolean;
  onToggle: (visit: LateVisit) => void;
}

function Visits({ plan, isIn, onToggle }: VisitsProps) {
  return (
    <fieldset className="grid grid-cols-1">
      <legend className="font-bold">Visits that follow</legend>
      {plan.visits.map((visit) => {
        const what = `${visit.title}, ${visit.client_name}`;
        if (!visit.start_time) {
          return (
            <p key={visit.id} className="num py-2 text-14 text-ink-2 wrap-anywhere">
              <bdi>{what}</bdi>: {visit.planned_text}. {visit.new_text}
            </p>
          );
        }
        return (
          <Checkbox
            key={visit.id}
            name={`visit-${visit.id}`}
            checked={isIn(visit)}
            onChange={() => onToggle(visit)}
            label={
              <span className="num">
                <span className="sr-only">From </span>
                <s className="text-ink-2 no-underline">{visit.planned_text}</s>
                <span aria-hidden> → </span>
                <span className="sr-only"> to </span>
                <b className="font-bold">{visit.new_text}</b>
              </span>
            }
            hint={
              <span className="wrap-anywhere">
                <bdi>{what}</bdi>
                {visit.may_have_begun && ". Its time has come: tick it if you are not there yet."}
              </span>
            }
          />
        );
      })}
    </fieldset>
  );
}

interface ToldProps {
  clients: readonly LateClient[];
  edited: Texts;
  onText: (client: LateClient, text: string) => void;
}

function Told({ clients, edited, onText }: ToldProps) {
  return (
    <section aria-labelledby="late-told" className="grid grid-cols-1 gap-4">
      <h3 id="late-told" className="font-bold">
        Who is told
      </h3>
      {clients.map((client) => (
        <TextArea
          key={client.client_id}
          name={`content-${client.client_id}`}
          label={<bdi>{client.client_name}</bdi>}
          reader={{ reader: isTold(client, edited) ? "message" : "sitter" }}
          hint={<ToldHint client={client} edited={edited} />}
          rows={2}
          value={textOf(client, edited)}
          onChange={(text) => onText(client, text)}
        />
      ))}
    </section>
  );
}

function ToldHint({ client, edited }: { client: LateClient; edited: Texts }) {
  if (!isTold(client, edited)) return "No message is sent: the text is empty.";
  const times = timesHint(edited[client.client_id], client.text);
  return (
    <>
      {client.way}
      {times && <span className="block text-danger">{times}</span>}
    </>
  );
}

const count = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** Label of the button, by who is told in the app. */
function actOf(told: readonly LateClient[]): string {
  if (told.length === 0) return "Save without messages";
  const n = told.filter((it) => !it.is_to_send).length;
  return n === 0 ? "Save and text later" : `Tell ${count(n, "client", "clients")}`;
}

/** Sentence on the act, as far as it is true yet. */
function doneText(told: readonly LateClient[]): string {
  if (told.length === 0) return "Saved without messages";
  const n = told.filter((it) => !it.is_to_send).length;
  const waiting = told.length - n;
  const inApp = canSendNow()
    ? `Telling ${count(n, "client", "clients")}`
    : `${count(n, "client is", "clients are")} told if this can be sent in time`;
  const toSend = `${count(waiting, "text waits", "texts wait")} on To send`;
  return [n > 0 && inApp, waiting > 0 && toSend].filter(Boolean).join(". ");
}

/** Edited messages by client. */
type Texts = Readonly<Record<string, EditedText>>;

/**
 * Choices of the form.
 * Stored on phones. Only add optional fields; never rename.
 */
interface DelayFields {
  offered: number;
  other: number | null;
  /** Visits that were ticked (true) or left out. */
  toggled: Readonly<Record<string, boolean>>;
  texts: Texts;
  movesPlan: boolean;
}

const FIRST: DelayFields = { offered: 20, other: null, toggled: {}, texts: {}, movesPlan: true };

const textOf = ({ client_id, text }: LateClient, edited: Texts): string => edited[client_id]?.text ?? text;

const isTold = (client: LateClient, edited: Texts): boolean => textOf(client, edited).trim() !== "";

function useRunningLate(today: string) {
  const now = useMinute();
  // They have begun, wherever that is noted.
  const underWay = useServicesUnderWay();
  const { canSend } = useSyncStatus();
  const key = `running-late:${today}`;
  const draft = useDraft<DelayFields>(key, FIRST);
  const { offered, other, toggled, texts, movesPlan } = draft.value;
  const minutes = offered === 0 ? Math.min(Math.max(other ?? 0, 0), 100_000) : offered;
  const isIn = (visit: LateVisit) => toggled[visit.id] ?? !visit.may_have_begun;
  const plan = useRead(
    (phone) => {
      const { visits } = phone.delayPlan(minutes, underWay, [], canSend, now);
      const leftOut = visits.filter((it) => !isIn(it)).map((it) => it.id);
      return phone.delayPlan(minutes, underWay, leftOut, canSend, now);
    },
    minutes,
    underWay.join(),
    toggled,
    canSend,
    now,
  );
  const clients = plan.error ? [] : plan.clients;
  // The core reads an empty text as the usual one.
  const told = clients.filter((it) => isTold(it, texts));
  const announce = async () => {
    const delayed = plan.visits.flatMap(({ id, planned, start_time, ...visit }) =>
      start_time && isIn({ id, planned, start_time, ...visit }) ? [{ id, planned, start_time }] : [],
    );
    const news = told.map((it) => {
      const text = textOf(it, texts).trim();
      return { client_id: it.client_id, message_id: newId(), content: text === it.text ? "" : text };
    });
    const args: AnnounceDelay = { date: plan.date, delayed, told: news, moves_plan: movesPlan };
    const sentence =
      told.length > 0
        ? `Tell clients that you are ${minutes} minutes late`
        : `Note that you are ${minutes} minutes late`;
    const undo = (await business().wholePhone()).undoDelay(args);
    const result = await save({ name: "announce_delay", args }, sentence, { draft: key });
    if (result.ok) {
      const isInPortal = clients.some((it) => !it.is_to_send);
      toast.success(doneText(told), { label: "Undo", onAction: () => void takeBack(undo, isInPortal) });
    }
    return result;
  };
  return {
    draft,
    plan,
    clients,
    told,
    canSend,
    isIn,
    announce,
    toggle: (visit: LateVisit) => draft.set({ toggled: { ...toggled, [visit.id]: !isIn(visit) } }),
    setText: ({ client_id, text: usual }: LateClient, text: string) => {
      const { [client_id]: _, ...others } = texts;
      // The usual text, restored by hand, follows the times again.
      draft.set({ texts: text === usual ? others : { ...others, [client_id]: { usual, text } } });
    },
  };
}

/** Takes a delay back; `isInPortal` is true if a client of the visits sees it in the portal. */
async function takeBack(undo: Command, isInPortal: boolean): Promise<void> {
  try {
    const result = await save(undo, "Take back that you are late");
    if (!result.ok) toast.error(result.text);
    else if (!isInPortal || canSendNow()) toast.success("Taken back");
    else toast.success("Taken back on this device. Clients in the portal see it once this is sent.");
  } catch {
    toast.error("Failed to take it back");
  }
}
