/** Owns asking for another time of a visit. It stays where it is until the sitter agrees. */
import { useRef, useState } from "react";
import { type FieldError, newId, type ServiceView } from "../../core";
import { business, save, useDraft } from "../../data";
import { useToday } from "../../parts/dates";
import { Button, Dialog, DialogActions, Form, Skeleton, SubmitButton, TextArea } from "../../ui";
import { Restored } from "../../ui/Restored";
import { TimeRow, useLastDay } from "./AskTimes";
import type { AskedTime } from "./askFields";
import { OpenCalendar } from "./OpenCalendar";
import { useSitterName } from "./ownClient";
import { ParentReaders } from "./ParentReaders";
import { tellWhenRequested } from "./tellWhenRequested";
import { ofTime } from "./useAsk";

interface AskMoveDialogProps {
  visit: ServiceView;
  /** The visit in words. */
  of: string;
  onClose: () => void;
}

const TITLE = "Request to move this visit";

export function AskMoveDialog(props: AskMoveDialogProps) {
  return (
    <Dialog open onClose={props.onClose} title={TITLE} sub={props.of}>
      <ParentReaders>
        <AskMoveForm {...props} />
      </ParentReaders>
    </Dialog>
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
    const service = { ...(date && { date }), ...(start_time && { start_time }) };
    const found = phone.checkSchedule({ service_id: null, service }, Date.now()).errors;
    const wrong = found.filter((it) => it.field === "date" || it.field === "start_time");
    setErrors(wrong.map((it) => ofTime(it, 0)));
    if (wrong.length > 0) return undefined;
    const change = { kind: "move_service", service_id: id, date, start_time } as const;
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
      <TextArea
        name="message"
        label="Message"
        reader="walk_request.message"
        optional
        rows={2}
        value={message}
        onChange={(message) => draft.set({ message })}
      />
      <p className="text-14 text-ink-2">
        The visit stays where it is until <bdi>{sitter}</bdi> agrees.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Back
        </Button>
        <SubmitButton>Request</SubmitButton>
      </DialogActions>
    </Form>
  );
}
