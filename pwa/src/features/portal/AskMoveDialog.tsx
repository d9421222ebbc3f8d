/** Owns asking for another time of a visit, or for other days of a stay. It stays where it is until the sitter agrees. */
import { useRef, useState } from "react";
import { useMinute } from "../../browser/clock";
import { type FieldError, formatDollars, newId, type Phone, type RequestSubject, type ServiceView } from "../../core";
import { business, save, useDraft, useRead } from "../../data";
import { useToday } from "../../parts/dates";
import { Dialog, Form, Skeleton } from "../../ui";
import { Restored } from "../../ui/Restored";
import { TimeRow, useLastDay } from "./AskTimes";
import type { AskedTime } from "./askFields";
import { OpenCalendar } from "./OpenCalendar";
import { useSitterName } from "./ownClient";
import { ParentReaders } from "./ParentReaders";
import { RequestEnd } from "./RequestEnd";
import { StayDays, type StayFields } from "./StayTimes";
import { tellWhenRequested } from "./tellWhenRequested";
import { ofTime } from "./useAsk";

interface AskMoveDialogProps {
  visit: ServiceView;
  /** The visit in words. */
  of: string;
  onClose: () => void;
}

const TITLE = "Request to move this visit";
const TITLE_OF_STAY = "Request other days for this stay";

/** Returns the title of the dialog, which the button that opens it bears too. */
export const moveTitle = (visit: Pick<ServiceView, "end_date">) => (visit.end_date ? TITLE_OF_STAY : TITLE);

export function AskMoveDialog(props: AskMoveDialogProps) {
  const isStay = Boolean(props.visit.end_date);
  return (
    <Dialog open onClose={props.onClose} title={moveTitle(props.visit)} sub={props.of}>
      <ParentReaders>{isStay ? <MoveStayForm {...props} /> : <AskMoveForm {...props} />}</ParentReaders>
    </Dialog>
  );
}

function MoveStayForm({ visit, of, onClose }: AskMoveDialogProps) {
  const { id, service_type, date, end_date, start_time, departure_time } = visit;
  const sitter = useSitterName();
  const key = `ask:move:${id}`;
  const days = { date, end_date: end_date ?? "", start_time, departure_time: departure_time ?? "" };
  const first: StayFields & { message: string } = { ...days, message: "" };
  const draft = useDraft(key, first);
  const { message, ...stay } = draft.value;
  const [errors, setErrors] = useState<FieldError[]>([]);
  const change = changeOf(id, stay);
  const check = useStayCheck(change);
  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  const send = async () => {
    const phone = await business().wholePhone();
    // The check of a move takes whole days alone.
    const missing = change.date === "" ? timeErrors(phone, change) : [];
    setErrors(missing);
    if (missing.length > 0) return undefined;
    const found = phone.checkStayMove(change, Date.now());
    setErrors((found?.errors ?? []).map((it) => ofTime(it, 0)));
    if (!found || found.errors.length > 0) return undefined;
    const { price } = found;
    const args = { id: newId(), change, message, ...(price !== null && { quoted_price: price }) };
    const saving = { draft: key, base_rev: draft.base_rev };
    const result = await save({ name: "ask_for_change", args }, `${TITLE_OF_STAY}: ${of}`, saving);
    if (!result.ok) return { text: result.text, fields: result.fields.map((it) => ofTime(it, 0)) };
    tellWhenRequested(result.id, 1, sitter);
    onClose();
    draft.clear();
    return undefined;
  };
  return (
    <Form errors={errors} onSubmit={send} failed="Failed to save the request">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <StayDays kind={service_type} stay={stay} onChange={draft.set} except={id} />
      <section aria-label="Price" aria-live="polite" className="num grid gap-1 rounded-large bg-sunken p-4">
        <h3 className="text-14 font-medium text-ink-2">Price on these days</h3>
        <p className="text-28 font-bold">{typeof check?.price === "number" ? formatDollars(check.price) : "–"}</p>
        {typeof check?.price === "number" && check.price !== visit.price && (
          <p className="text-14 text-ink-2">Booked at {formatDollars(visit.price)}</p>
        )}
        {check?.stay_count && <p className="text-14 text-ink-2">{check.stay_count}</p>}
        <p className="text-14 wrap-anywhere text-ink-2 empty:hidden">{check?.explanation}</p>
      </section>
      <RequestEnd
        message={message}
        onMessage={(message) => draft.set({ message })}
        stays="The stay keeps its days"
        onClose={onClose}
      />
    </Form>
  );
}

/** Returns what the core has against a day and a start as such; each is empty where it is still to be chosen. */
function timeErrors(phone: Phone, { date, start_time }: Pick<AskedTime, "date" | "start_time">): FieldError[] {
  const service = { ...(date && { date }), ...(start_time && { start_time }) };
  const { errors } = phone.checkSchedule({ service_id: null, service }, Date.now());
  return errors.filter((it) => it.field === "date" || it.field === "start_time").map((it) => ofTime(it, 0));
}

type StayMove = Extract<RequestSubject, { kind: "move_service" }>;

const changeOf = (service_id: string, { date, end_date, start_time, departure_time }: StayFields): StayMove => ({
  kind: "move_service",
  service_id,
  date,
  start_time,
  // One without a last day is of a day.
  end_date: end_date || date,
  ...(departure_time && { departure_time }),
});

/** Returns what is wrong with the days, and what they cost; nothing until there is a first one. */
function useStayCheck(change: StayMove) {
  const now = useMinute();
  return useRead(
    (phone) => (change.date === "" ? undefined : phone.checkStayMove(change, now)),
    JSON.stringify(change),
    now,
  );
}

function AskMoveForm({ visit, of, onClose }: AskMoveDialogProps) {
  const { id, service_type, duration_minutes } = visit;
  const sitter = useSitterName();
  const last = useLastDay(service_type, useToday());
  const key = `ask:move:${id}`;
  const first: AskedTime & { message: string } = { date: "", start_time: visit.start_time, message: "" };
  const draft = useDraft(key, first);
  const { message, ...time } = draft.value;
  const openStarts = useRef(new Map<number, readonly string[]>());
  const [errors, setErrors] = useState<FieldError[]>([]);
  if (!draft.ready) return <Skeleton className="h-80 w-full" />;
  const send = async () => {
    const isOpen = time.is_wish || (openStarts.current.get(0)?.includes(time.start_time) ?? true);
    const { date, start_time } = { ...time, ...(!isOpen && { start_time: "" }) };
    const phone = await business().wholePhone();
    const wrong = timeErrors(phone, { date, start_time });
    setErrors(wrong);
    if (wrong.length > 0) return undefined;
    const change: RequestSubject = { kind: "move_service", service_id: id, date, start_time };
    const command = { name: "ask_for_change", args: { id: newId(), change, message } } as const;
    const result = await save(command, `${TITLE}: ${of}`, { draft: key, base_rev: draft.base_rev });
    if (!result.ok) return { text: result.text, fields: result.fields.map((it) => ofTime(it, 0)) };
    tellWhenRequested(result.id, 1, sitter);
    onClose();
    draft.clear();
    return undefined;
  };
  return (
    <Form errors={errors} onSubmit={send} failed="Failed to save the request">
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <OpenCalendar
        question={{ service_type, duration_minutes, stay: false, except: id }}
        chosen={time.date ? [time.date] : []}
        onChoose={(date) => draft.set({ date: date === time.date ? "" : date })}
        last={last}
      />
      <TimeRow
        place={0}
        time={time}
        question={{ date: time.date, service_type, duration_minutes, except: id }}
        openStarts={openStarts}
        last={last}
        onChange={draft.set}
        onRemove={undefined}
      />
      <RequestEnd
        message={message}
        onMessage={(message) => draft.set({ message })}
        stays="The visit stays where it is"
        onClose={onClose}
      />
    </Form>
  );
}
