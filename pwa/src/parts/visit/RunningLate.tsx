/**
 * Owns 'Running late': one act that tells the clients of today's later visits the new times, and moves the visits if asked
 * to. The new times, the words and how each client hears of them are the core's.
 */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import { type AnnounceDelay, type DelayPlan, type LateClient, type LateVisit, newId } from "../../core";
import { canSendNow, save, useRead, useSyncStatus } from "../../data";
import { servicesOf, useOpenWalk } from "../../data/walks/walks";
import {
  Banner,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  Form,
  NumberField,
  Segmented,
  SubmitButton,
  Switch,
  TextArea,
  toast,
} from "../../ui";

/** Offered delays in minutes; 0 stands for another number. */
const OFFERED = [10, 20, 30, 45, 0] as const;

export default function RunningLate({ onClose }: { onClose: () => void }) {
  const late = useRunningLate();
  const { plan, offered, clients } = late;
  const send = async () => {
    if (plan.error) return { text: plan.error, fields: [{ field: "minutes", text: plan.error }] };
    const result = await late.announce();
    if (!result.ok) return result;
    onClose();
    return undefined;
  };
  return (
    <Dialog open title="Running late" sub="How much later is your next visit?" onClose={onClose}>
      <Form onSubmit={send} failed="Failed to tell clients" className="grid grid-cols-1 gap-5">
        <Segmented
          label="How late"
          value={offered}
          onChange={late.setOffered}
          options={OFFERED.map((value) => ({ value, label: value === 0 ? "Other" : `${value} min` }))}
        />
        {offered === 0 && (
          <NumberField
            name="minutes"
            label="Minutes"
            integer
            unit="min"
            value={late.other}
            onChange={late.setOther}
            error={late.other === null ? undefined : (plan.error ?? undefined)}
          />
        )}
        {plan.visits.length === 0 ? (
          <p className="text-ink-2">No later visits today are affected.</p>
        ) : (
          <Visits plan={plan} isIn={late.isIn} onToggle={late.toggle} />
        )}
        {clients.length > 0 && (
          <>
            <Told clients={clients} textOf={late.textOf} onText={late.setText} />
            {!late.canSend && (
              <Banner>
                This waits on this device until it can be sent. Clients whose new time has come by then are not told,
                and Needs attention names them.
              </Banner>
            )}
            <Switch
              name="moves_plan"
              label="Also move the times on the plan"
              hint="Otherwise clients see the expected time beside the planned one."
              checked={late.movesPlan}
              onChange={late.setMovesPlan}
            />
          </>
        )}
        <DialogActions>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          {clients.length > 0 && <SubmitButton>{actOf(clients)}</SubmitButton>}
        </DialogActions>
      </Form>
    </Dialog>
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
  textOf: (client: LateClient) => string;
  onText: (client: LateClient, text: string) => void;
}

function Told({ clients, textOf, onText }: ToldProps) {
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
          hint={client.way}
          rows={2}
          value={textOf(client)}
          onChange={(text) => onText(client, text)}
        />
      ))}
    </section>
  );
}

const count = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** Label of the button, by who is told in the app. */
function actOf(clients: readonly LateClient[]): string {
  const n = clients.filter((it) => !it.is_to_send).length;
  return n === 0 ? "Put on To send" : `Tell ${count(n, "client", "clients")}`;
}

/** Sentence on the act, as far as it is true yet. */
function doneText(clients: readonly LateClient[]): string {
  const n = clients.filter((it) => !it.is_to_send).length;
  const waiting = clients.length - n;
  const told = canSendNow()
    ? `Telling ${count(n, "client", "clients")}`
    : `${count(n, "client is", "clients are")} told if this can be sent in time`;
  const toSend = `${count(waiting, "text waits", "texts wait")} on To send`;
  return [n > 0 && told, waiting > 0 && toSend].filter(Boolean).join(". ");
}

interface Edited {
  /** The words that the person has changed: other ones stand for themselves. */
  usual: string;
  text: string;
}

function useRunningLate() {
  const now = useMinute();
  const walk = useOpenWalk();
  const { canSend } = useSyncStatus();
  const [offered, setOffered] = useState<number>(20);
  const [other, setOther] = useState<number | null>(null);
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const [texts, setTexts] = useState<Readonly<Record<string, Edited>>>({});
  const [movesPlan, setMovesPlan] = useState(true);
  const minutes = offered === 0 ? Math.min(Math.max(other ?? 0, 0), 100_000) : offered;
  const isIn = (visit: LateVisit) => toggled[visit.id] ?? !visit.may_have_begun;
  const plan = useRead(
    (phone) => {
      // What the walk under way is of has begun, wherever that is noted.
      const underWay = walk ? [...servicesOf(walk)] : [];
      const { visits } = phone.delayPlan(minutes, underWay, [], canSend, now);
      const leftOut = visits.filter((it) => !isIn(it)).map((it) => it.id);
      return phone.delayPlan(minutes, underWay, leftOut, canSend, now);
    },
    minutes,
    walk,
    toggled,
    canSend,
    now,
  );
  const clients = plan.error ? [] : plan.clients;
  const textOf = ({ client_id, text }: LateClient) => {
    const edited = texts[client_id];
    return edited?.usual === text ? edited.text : text;
  };
  const announce = async () => {
    const delayed = plan.visits.flatMap(({ id, planned, start_time, ...visit }) =>
      start_time && isIn({ id, planned, start_time, ...visit }) ? [{ id, planned, start_time }] : [],
    );
    const told = clients.map((it) => {
      const text = textOf(it).trim();
      return { client_id: it.client_id, message_id: newId(), content: text === it.text ? "" : text };
    });
    const args: AnnounceDelay = { date: plan.date, delayed, told, moves_plan: movesPlan };
    const result = await save({ name: "announce_delay", args }, `Tell clients that you are ${minutes} minutes late`);
    if (result.ok) {
      toast.success(doneText(clients), { label: "Undo", onAction: () => void takeBack(args) });
    }
    return result;
  };
  return {
    plan,
    clients,
    canSend,
    offered,
    setOffered,
    other,
    setOther,
    movesPlan,
    setMovesPlan,
    isIn,
    textOf,
    announce,
    toggle: (visit: LateVisit) => setToggled({ ...toggled, [visit.id]: !isIn(visit) }),
    setText: ({ client_id, text: usual }: LateClient, text: string) =>
      setTexts({ ...texts, [client_id]: { usual, text } }),
  };
}

async function takeBack({ delayed, told }: AnnounceDelay): Promise<void> {
  try {
    const messages = told.map((it) => it.message_id);
    const args = { delayed, messages };
    const result = await save({ name: "take_back_delay", args }, "Take back that you are late");
    if (result.ok) toast.success(canSendNow() ? "Taken back" : "Taken back here. Clients read it once this is sent");
    else toast.error(result.text);
  } catch {
    toast.error("Failed to take it back");
  }
}
