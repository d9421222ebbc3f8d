/** Owns adding and editing hours of a weekday (SPEC 5 and 9): every field, its default, and all errors in place. */
import { useState } from "react";
import { type Command, newId, type Pattern } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  type FieldError,
  Form,
  NumberField,
  Select,
  Skeleton,
  SubmitButton,
  TextArea,
  TextField,
  TimeField,
  toast,
} from "../../ui";
import type { Fix } from "../attention/fix";
import { Restored } from "./Restored";
import { ServiceTypes } from "./ServiceTypes";
import { hoursOf, weekdays } from "./words";

export type PatternCommand = Extract<Command, { name: "create_pattern" | "update_pattern" }>;

/** Amounts are null while their input is empty. */
type Fields = {
  [F in keyof Pattern]-?: Pattern[F] extends number ? Pattern[F] | null : NonNullable<Pattern[F]>;
};

interface PatternDialogProps {
  /** Absent for new hours. */
  pattern: Pattern | undefined;
  /** The weekday that new hours were asked for on. */
  day: number | undefined;
  fix: Fix<PatternCommand["name"]> | undefined;
  onClose: () => void;
}

export function PatternDialog(props: PatternDialogProps) {
  const isNew = props.fix ? props.fix.command.name === "create_pattern" : !props.pattern;
  return (
    <Dialog
      open
      onClose={props.onClose}
      dismissible={false}
      title={isNew ? "Add Availability Pattern" : "Edit Availability Pattern"}
    >
      <Body {...props} isNew={isNew} />
    </Dialog>
  );
}

function Body({ pattern, day, fix, isNew, onClose }: PatternDialogProps & { isNew: boolean }) {
  const [id] = useState(() => fix?.command.args.id ?? pattern?.id ?? newId());
  const fresh = useReplica((phone) => phone.newPattern(id));
  const key = fix ? `pattern:fix:${fix.id}` : `pattern:${isNew ? "new" : id}`;
  // The draft holds what was touched and no more: what others change meanwhile shows through everywhere else.
  const draft = useDraft<Partial<Fields>>(key, fix ? asked(fix.command) : {});
  const [errors, setErrors] = useState<FieldError[] | undefined>(
    fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined,
  );
  const [problem, setProblem] = useState<string>();
  const base = (isNew ? fresh : (pattern ?? fresh)) as Fields;
  const pointed = isNew && day !== undefined ? { day_of_week: day } : {};
  const form: Fields = { ...base, ...pointed, ...draft.value };

  const send = async () => {
    setProblem(undefined);
    const changes = Object.fromEntries(
      Object.entries(form).filter(([name, value]) => !isSame(value, base[name as keyof Fields])),
    ) as Partial<Pattern>;
    const when = `${weekdays()[form.day_of_week ?? 0]}, ${hoursOf(form)}`;
    try {
      const result = await save(
        isNew
          ? { name: "create_pattern", args: { id, pattern: changes } }
          : { name: "update_pattern", args: { id, changes } },
        isNew ? `Add hours: ${when}` : `Change hours: ${when}`,
        { draft: key, resolves: fix?.id, base_rev: fix?.base_rev ?? draft.base_rev },
      );
      if (result.ok) {
        toast.success(
          isNew ? "Availability pattern created successfully" : "Availability pattern updated successfully",
        );
        onClose();
        return;
      }
      setErrors(result.fields);
      if (result.fields.length === 0) {
        setProblem(result.text || (isNew ? "Failed to create pattern" : "Failed to update pattern"));
      }
    } catch {
      setProblem(isNew ? "Failed to create availability pattern" : "Failed to update availability pattern");
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
  return (
    <Form errors={errors} error={problem} onSubmit={send}>
      {draft.restored && <Restored onStartOver={startOver} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField
          name="pattern_name"
          label="Pattern name"
          optional
          placeholder="Morning walks"
          autoComplete="off"
          value={form.pattern_name}
          onChange={(pattern_name) => draft.set({ pattern_name })}
        />
        <Select
          name="day_of_week"
          label="Day of week"
          value={form.day_of_week}
          onChange={(day_of_week) => draft.set({ day_of_week })}
          options={weekdays().map((label, value) => ({ value, label }))}
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
              It ends before it begins, so nothing can be booked in it.
            </p>
          )}
        </div>
      </div>
      <ServiceTypes
        name="service_types"
        label="Service types"
        value={form.service_types}
        onChange={(service_types) => draft.set({ service_types })}
      />
      <div className="grid grid-cols-2 items-start gap-4 md:grid-cols-3">
        <NumberField
          name="max_concurrent_services"
          label="Max at once"
          whole
          value={form.max_concurrent_services}
          onChange={(max_concurrent_services) => draft.set({ max_concurrent_services })}
        />
        <NumberField
          name="buffer_minutes"
          label="Buffer"
          whole
          unit="min"
          value={form.buffer_minutes}
          onChange={(buffer_minutes) => draft.set({ buffer_minutes })}
        />
        <NumberField
          name="priority"
          label="Priority"
          whole
          value={form.priority}
          onChange={(priority) => draft.set({ priority })}
        />
        <NumberField
          name="min_advance_hours"
          label="Min advance"
          whole
          unit="h"
          value={form.min_advance_hours}
          onChange={(min_advance_hours) => draft.set({ min_advance_hours })}
        />
        <NumberField
          name="max_advance_days"
          label="Max advance"
          whole
          unit="days"
          value={form.max_advance_days}
          onChange={(max_advance_days) => draft.set({ max_advance_days })}
        />
      </div>
      <p className="-mt-2 text-14 text-ink-2 text-pretty">
        The buffer is kept free before and after each service. Where hours overlap, the highest priority counts.
      </p>
      <TextArea name="notes" label="Notes" optional value={form.notes} onChange={(notes) => draft.set({ notes })} />
      <Checkbox
        name="is_active"
        label="Active"
        hint="Services can be booked in it."
        checked={form.is_active}
        onChange={(is_active) => draft.set({ is_active })}
      />
      <DialogActions>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : isNew ? "Add Pattern" : "Save Pattern"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

const asked = (command: PatternCommand): Partial<Pattern> =>
  command.name === "create_pattern" ? command.args.pattern : command.args.changes;

/** Lists are the same where they hold the same. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
