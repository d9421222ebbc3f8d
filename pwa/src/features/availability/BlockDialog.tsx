/** Owns blocking a time (SPEC 5 and 9): lunch from 12 to 1 for both services, until someone says otherwise. */
import { useState } from "react";
import { useLocation } from "wouter";
import { useMinute } from "../../browser/clock";
import {
  type BlockedTime,
  type Command,
  formatDate,
  limits,
  newBlockedTime,
  newId,
  type TakeTimeOff,
} from "../../core";
import { canSendNow, save, useDraft, useRead, useSendState } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import { hoursOf, RECURRENCES } from "../../parts/availabilityText";
import {
  Button,
  bind,
  Checkbox,
  DateField,
  Dialog,
  DialogActions,
  Form,
  Select,
  Skeleton,
  SubmitButton,
  TextField,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { Hours } from "./Hours";
import { ServiceTypes } from "./ServiceTypes";
import { TimeOffVisits } from "./TimeOffVisits";
import { commandOf, decisionsIn, NO_DECISIONS, saveTimeOff, type TimeOffFields, visitsOf } from "./timeOff";

export type BlockCommand = Extract<Command, { name: "create_blocked_time" | "take_time_off" }>;

type BlockFields = { [F in keyof BlockedTime]-?: Exclude<BlockedTime[F], undefined> };

type Fields = BlockFields & TimeOffFields;

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

/** Reasons for which one is away for days in a row, and not for some hours again and again. */
const AWAY: ReadonlySet<string> = new Set(["vacation", "sick"]);

/** A day as far as the form's times reach. */
const WHOLE_DAY = { start_time: "00:00", end_time: "23:59" };

function Body({ today, fix, onClose }: BlockDialogProps) {
  const [id] = useState(() => fix?.command.args.id ?? newId());
  const [base] = useState(() => newBlockedTime(id, today) as BlockFields);
  const [, navigate] = useLocation();
  const now = useMinute();
  useSendState();
  const canSend = canSendNow();
  const key = fix ? `blocked-time:fix:${fix.id}` : "blocked-time:new";
  const before = useRead((phone): Partial<Fields> => {
    const command: BlockCommand | undefined = fix?.command;
    if (!command) return {};
    const { args } = command;
    const isTimeOff = command.name === "take_time_off";
    const decisions = isTimeOff ? decisionsIn(command.args, phone.planTimeOff(command.args, now, canSend)) : {};
    return { ...args.blocked_time, ...decisions };
  }, fix?.id);
  const draft = useDraft<Partial<Fields>>(key, before);
  const [refused] = useState(fix?.refusal?.code === "invalid" ? fix.refusal.fields : undefined);
  const form: Fields = { ...base, ...NO_DECISIONS, ...draft.value };
  const bound = bind(form, draft.set);
  const { choices, tells, texts, usual, ...block } = form;
  const decisions: TimeOffFields = { choices, tells, texts, ...(usual && { usual }) };
  const blocked_time = Object.fromEntries(
    Object.entries(block).filter(([name, value]) => name === "block_date" || value !== base[name as keyof BlockFields]),
  ) as Partial<BlockedTime>;
  const asked = JSON.stringify({ id, blocked_time, visits: choices });
  const plan = useRead(
    (phone) => phone.planTimeOff(JSON.parse(asked) as TakeTimeOff, now, canSend),
    asked,
    now,
    canSend,
  );

  const send = async () => {
    if (plan.unplaced > 0) return { text: "Some visits have no free time yet. Choose one, or cancel or keep them." };
    const sentence = `Block time: ${form.block_date && formatDate(form.block_date)}, ${hoursOf(form)}`;
    const options = { draft: key, resolves: fix?.id, base_rev: fix?.base_rev };
    if (visitsOf(plan).some((it) => it.choice.way !== "keep")) {
      const command = commandOf(id, blocked_time, plan, decisions);
      const isWritten = (id: string) => command.messages?.some((it) => it.client_id === id);
      const written = plan.clients.filter((it) => isWritten(it.id));
      const words = {
        sentence,
        written: written.filter((it) => !it.is_passed_on).map((it) => it.id),
        passedOn: written.filter((it) => it.is_passed_on).length,
        navigate,
      };
      const result = await saveTimeOff(command, words, options);
      if (!result.ok) return result;
    } else {
      const result = await save({ name: "create_blocked_time", args: { id, blocked_time } }, sentence, options);
      if (!result.ok) return result;
      toast.success("Blocked time created successfully");
    }
    onClose();
    return undefined;
  };
  const cancel = () => {
    draft.clear();
    onClose();
  };

  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  const isAway = AWAY.has(form.block_type) && (!form.is_recurring || form.recurrence_pattern === "daily");
  const lastDay = form.is_recurring ? (form.recurrence_end_date ?? "") : form.block_date;
  /** A type for days in a row begins with whole days, unless other times were chosen. */
  const chooseType = (block_type: BlockFields["block_type"]) => {
    const isUntouched = form.start_time === base.start_time && form.end_time === base.end_time;
    const hours = AWAY.has(block_type) && isUntouched && !form.is_recurring ? WHOLE_DAY : {};
    draft.set({ block_type, ...hours });
  };
  const chooseLastDay = (last: string) =>
    draft.set(
      last === "" || form.block_date < last
        ? { is_recurring: true, recurrence_pattern: "daily", recurrence_end_date: last === "" ? null : last }
        : { is_recurring: false, recurrence_pattern: null, recurrence_end_date: null },
    );
  const isWholeDay = form.start_time === WHOLE_DAY.start_time && form.end_time === WHOLE_DAY.end_time;
  return (
    <Form errors={refused} failed="Failed to create blocked time" onSubmit={send}>
      {draft.restored && <Restored onStartOver={draft.clear} />}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Select
          label="Type"
          options={limits().block_types}
          {...bound("block_type")}
          onChange={chooseType}
          className={isAway ? "md:col-span-2" : undefined}
        />
        <DateField label={isAway ? "First day" : "Date"} {...bound("block_date")} />
        {isAway && (
          <DateField
            label="Last day"
            min={form.block_date}
            hint="Without one it goes on."
            name="recurrence_end_date"
            value={lastDay}
            onChange={chooseLastDay}
          />
        )}
        <Hours value={form} onChange={draft.set} empty="it blocks nothing">
          {!isWholeDay && (
            <button
              type="button"
              onClick={() => draft.set(WHOLE_DAY)}
              className="inline-flex min-h-12 items-center justify-self-start text-14 font-bold underline underline-offset-2"
            >
              Block the whole day
            </button>
          )}
        </Hours>
        <TextField
          label="Reason"
          optional
          autoComplete="off"
          reader="blocked_time.reason"
          className="md:col-span-2"
          {...bound("reason")}
        />
      </div>
      <ServiceTypes label="Blocked services" empty="it blocks nothing" {...bound("blocked_services")} />
      <div>
        <Checkbox
          name="allows_emergency"
          label="Allow emergencies"
          hint="You'll be warned, but can still book over it."
          checked={form.allows_emergency}
          onChange={(allows_emergency) => draft.set({ allows_emergency })}
        />
        {!isAway && (
          <Checkbox
            name="is_recurring"
            label="Repeats"
            checked={form.is_recurring}
            onChange={(is_recurring) =>
              draft.set({ is_recurring, recurrence_pattern: form.recurrence_pattern ?? "weekly" })
            }
          />
        )}
      </div>
      {form.is_recurring && !isAway && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Select
            label="How often"
            options={RECURRENCES}
            {...bound("recurrence_pattern")}
            value={form.recurrence_pattern ?? null}
          />
          <DateField
            label="Until"
            optional
            min={form.block_date}
            hint="The last day it repeats. Without one it goes on."
            {...bound("recurrence_end_date")}
            value={form.recurrence_end_date ?? ""}
          />
        </div>
      )}
      <TimeOffVisits plan={plan} fields={decisions} today={today} onChange={draft.set} />
      <DialogActions>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton>{fix ? "Save and send again" : "Block Time"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}
