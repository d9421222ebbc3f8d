/** Owns adding and editing hours of a weekday (SPEC 5 and 9): every field, its default, and all errors in place. */
import { useState } from "react";
import { type Command, newId, type Pattern } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import { hoursOf, weekdays } from "../../parts/availabilityText";
import {
  Button,
  bind,
  Checkbox,
  Dialog,
  DialogActions,
  FieldGroup,
  Form,
  NumberField,
  Select,
  Skeleton,
  SubmitButton,
  TextArea,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { Hours } from "./Hours";
import { ServiceTypes } from "./ServiceTypes";

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
  /** Other weekdays that get the same hours. */
  const [copies, setCopies] = useState<readonly number[]>([]);
  const [refused] = useState(fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined);
  const base = (isNew ? fresh : (pattern ?? fresh)) as Fields;
  const pointed = isNew && day !== undefined ? { day_of_week: day } : {};
  const form: Fields = { ...base, ...pointed, ...draft.value };
  const bound = bind(form, draft.set);

  const send = async () => {
    const changes = Object.fromEntries(
      Object.entries(form).filter(([name, value]) => !isSame(value, base[name as keyof Fields])),
    ) as Partial<Pattern>;
    const when = `${weekdays()[form.day_of_week ?? 0]}, ${hoursOf(form)}`;
    const result = await save(
      isNew
        ? { name: "create_pattern", args: { id, pattern: changes } }
        : { name: "update_pattern", args: { id, changes } },
      isNew ? `Add hours: ${when}` : `Change hours: ${when}`,
      { draft: key, resolves: fix?.id, base_rev: fix?.base_rev ?? draft.base_rev },
    );
    if (!result.ok) {
      return { ...result, text: result.text || (isNew ? "Failed to create pattern" : "Failed to update pattern") };
    }
    const copied = await copyTo(
      copies.filter((it) => it !== form.day_of_week),
      form,
      fresh,
    );
    if (copied) toast.error(copied);
    toast.success(isNew ? "Availability pattern created successfully" : "Availability pattern updated successfully");
    onClose();
    return undefined;
  };
  const cancel = () => {
    draft.clear();
    onClose();
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return (
    <Form
      errors={refused}
      failed={isNew ? "Failed to create availability pattern" : "Failed to update availability pattern"}
      onSubmit={send}
    >
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField
          label="Pattern name"
          optional
          placeholder="Morning walks"
          reader="pattern.pattern_name"
          autoComplete="off"
          {...bound("pattern_name")}
        />
        <Select
          label="Day of week"
          options={weekdays().map((label, value) => ({ value, label }))}
          {...bound("day_of_week")}
        />
        <Hours value={form} onChange={draft.set} empty="nothing can be booked in it" />
      </div>
      <ServiceTypes label="Service types" empty="nothing can be booked in it" {...bound("service_types")} />
      <div className="grid pair items-start gap-4 md:grid-cols-3">
        <NumberField label="Max visits at a time" integer {...bound("max_concurrent_services")} />
        <NumberField label="Buffer" integer unit="min" {...bound("buffer_minutes")} />
        <NumberField label="Priority" integer {...bound("priority")} />
        <NumberField label="Min advance" integer unit="h" {...bound("min_advance_hours")} />
        <NumberField label="Max advance" integer unit="days" {...bound("max_advance_days")} />
      </div>
      <p className="-mt-2 text-14 text-ink-2 text-pretty">
        The buffer is kept free before and after each service. Where hours overlap, the highest priority counts.
      </p>
      <TextArea label="Notes" optional reader="pattern.notes" {...bound("notes")} />
      <Checkbox
        name="is_active"
        label="Active"
        hint="Services can be booked in it."
        checked={form.is_active}
        onChange={(is_active) => draft.set({ is_active })}
      />
      <FieldGroup name="" label="Copy to other days">
        <div className="flex flex-wrap gap-x-5">
          {weekdays().map(
            (label, day) =>
              day !== form.day_of_week && (
                <Checkbox
                  key={label}
                  name=""
                  label={label}
                  checked={copies.includes(day)}
                  onChange={(isOn) => setCopies(isOn ? [...copies, day] : copies.filter((it) => it !== day))}
                />
              ),
          )}
        </div>
      </FieldGroup>
      <DialogActions>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : isNew ? "Add Pattern" : "Save Pattern"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Adds the same hours on other weekdays; resolves with the sentence that says why one was not added. */
async function copyTo(days: readonly number[], form: Fields, fresh: Pattern): Promise<string | undefined> {
  for (const day_of_week of days.toSorted((a, b) => a - b)) {
    const id = newId();
    const { id: _, ...fields } = form;
    const pattern = Object.fromEntries(
      Object.entries({ ...fields, day_of_week }).filter(
        ([name, value]) => name === "day_of_week" || !isSame(value, fresh[name as keyof Pattern]),
      ),
    ) as Partial<Pattern>;
    const when = `${weekdays()[day_of_week]}, ${hoursOf(form)}`;
    const result = await save({ name: "create_pattern", args: { id, pattern } }, `Add hours: ${when}`);
    if (!result.ok) return `${weekdays()[day_of_week]}: ${result.text}`;
  }
  return undefined;
}

const asked = (command: PatternCommand): Partial<Pattern> =>
  command.name === "create_pattern" ? command.args.pattern : command.args.changes;

/** Lists are the same where they hold the same. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
