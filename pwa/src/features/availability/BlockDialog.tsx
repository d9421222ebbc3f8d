/** Owns blocking a time (SPEC 5 and 9): lunch from 12 to 1 for both services, until someone says otherwise. */
import { useState } from "react";
import { type BlockedTime, type Command, newBlockedTime, newId } from "../../core";
import { save, useDraft } from "../../data";
import {
  Button,
  Checkbox,
  DateField,
  Dialog,
  DialogActions,
  type FieldError,
  Form,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  TimeField,
  toast,
} from "../../ui";
import type { Fix } from "../attention/fix";
import { Restored } from "./Restored";
import { ServiceTypes } from "./ServiceTypes";
import { BLOCK_TYPES, hoursOf, RECURRENCES } from "./words";

export type BlockCommand = Extract<Command, { name: "create_blocked_time" }>;

type Fields = { [F in keyof BlockedTime]-?: Exclude<BlockedTime[F], undefined> };

interface BlockDialogProps {
  today: string;
  fix: Fix<BlockCommand["name"]> | undefined;
  onClose: () => void;
}

export function BlockDialog(props: BlockDialogProps) {
  return (
    <Dialog open onClose={props.onClose} dismissible={false} title="Block Time">
      <Body {...props} />
    </Dialog>
  );
}

/** A day as far as the form's times reach. */
const WHOLE_DAY = { start_time: "00:00", end_time: "23:59" };

function Body({ today, fix, onClose }: BlockDialogProps) {
  const [id] = useState(() => fix?.command.args.id ?? newId());
  const [base] = useState(() => newBlockedTime(id, today) as Fields);
  const key = fix ? `blocked-time:fix:${fix.id}` : "blocked-time:new";
  const draft = useDraft<Partial<Fields>>(key, fix ? fix.command.args.blocked_time : {});
  const [errors, setErrors] = useState<FieldError[] | undefined>(
    fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined,
  );
  const [problem, setProblem] = useState<string>();
  const form = { ...base, ...draft.value };

  const send = async () => {
    setProblem(undefined);
    const blocked_time = Object.fromEntries(
      Object.entries(form).filter(([name, value]) => name === "block_date" || value !== base[name as keyof Fields]),
    ) as Partial<BlockedTime>;
    try {
      const result = await save(
        { name: "create_blocked_time", args: { id, blocked_time } },
        `Block time: ${form.block_date}, ${hoursOf(form)}`,
        { draft: key, resolves: fix?.id, base_rev: fix?.base_rev },
      );
      if (result.ok) {
        toast.success("Blocked time created successfully");
        onClose();
        return;
      }
      setErrors(result.fields);
      if (result.fields.length === 0) setProblem(result.text);
    } catch {
      setProblem("Failed to create blocked time");
    }
  };
  const cancel = () => {
    draft.clear();
    onClose();
  };
  const startOver = () => {
    draft.clear();
    setErrors(undefined);
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  const holdsNothing = form.start_time !== "" && form.end_time !== "" && form.end_time <= form.start_time;
  const isWholeDay = form.start_time === WHOLE_DAY.start_time && form.end_time === WHOLE_DAY.end_time;
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      {draft.restored && <Restored onStartOver={startOver} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <DateField
          name="block_date"
          label="Date"
          value={form.block_date}
          onChange={(block_date) => draft.set({ block_date })}
        />
        <Select
          name="block_type"
          label="Type"
          value={form.block_type}
          onChange={(block_type) => draft.set({ block_type })}
          options={BLOCK_TYPES}
        />
        <div className="grid gap-1 md:col-span-2">
          <div className="grid grid-cols-2 items-start gap-4">
            <TimeField
              name="start_time"
              label="Start time"
              value={form.start_time}
              onChange={(start_time) => draft.set({ start_time })}
            />
            <TimeField
              name="end_time"
              label="End time"
              value={form.end_time}
              onChange={(end_time) => draft.set({ end_time })}
            />
          </div>
          {holdsNothing && (
            <p role="status" className="text-14 text-ink-2">
              It ends before it begins, so it blocks nothing.
            </p>
          )}
          {!isWholeDay && (
            <button
              type="button"
              onClick={() => draft.set(WHOLE_DAY)}
              className="inline-flex min-h-12 items-center justify-self-start text-14 font-bold underline underline-offset-2"
            >
              Block the whole day
            </button>
          )}
        </div>
        <TextField
          name="reason"
          label="Reason"
          optional
          autoComplete="off"
          value={form.reason}
          onChange={(reason) => draft.set({ reason })}
          className="md:col-span-2"
        />
      </div>
      <ServiceTypes
        name="blocked_services"
        label="Blocked services"
        value={form.blocked_services}
        onChange={(blocked_services) => draft.set({ blocked_services })}
      />
      <div>
        <Checkbox
          name="allows_emergency"
          label="Allow emergencies"
          hint="Warns when something is booked in it, and does not refuse."
          checked={form.allows_emergency}
          onChange={(allows_emergency) => draft.set({ allows_emergency })}
        />
        <Checkbox
          name="is_recurring"
          label="Repeats"
          hint="For a vacation: daily, until its last day."
          checked={form.is_recurring}
          onChange={(is_recurring) =>
            draft.set({ is_recurring, recurrence_pattern: form.recurrence_pattern ?? "weekly" })
          }
        />
      </div>
      {form.is_recurring && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Select
            name="recurrence_pattern"
            label="How often"
            value={form.recurrence_pattern ?? null}
            onChange={(recurrence_pattern) => draft.set({ recurrence_pattern })}
            options={RECURRENCES}
          />
          <DateField
            name="recurrence_end_date"
            label="Until"
            optional
            min={form.block_date}
            hint="The last day. Without one it goes on."
            value={form.recurrence_end_date ?? ""}
            onChange={(recurrence_end_date) => draft.set({ recurrence_end_date })}
          />
        </div>
      )}
      <DialogActions>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : "Block Time"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}
