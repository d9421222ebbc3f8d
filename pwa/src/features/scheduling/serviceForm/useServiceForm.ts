/** Owns the state of one open form of a service: its fields, what the core says of them, and how they are saved. */
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { useMinute } from "../../../browser/clock";
import {
  type Bookable,
  type Command,
  type FieldError,
  newId,
  type ScheduleCheck,
  type SeriesPreview,
  type Service,
} from "../../../core";
import { save, useRead, useReplica, useSyncStatus } from "../../../data";
import { explainLimit } from "../../../parts/plan/explainLimit";
import { leaveDialog, toast } from "../../../ui";
import type { Prefill } from "../scheduleState";
import { bookingOf, choicesThatStay, ruleMoved } from "../series/repeats";
import { saveSeries } from "../series/saveSeries";
import { moved, type Repeats, type ServiceFields, type ServiceFix, sentenceOf } from "./fields";
import { changesOfBooking, useFields, useTouched } from "./useFields";

export interface ServiceFormProps {
  /** The service to change; none for a new one. */
  id?: string | undefined;
  prefill?: Prefill | undefined;
  fix?: ServiceFix | undefined;
  today: string;
  onClose: () => void;
}

export type OpenForm = ReturnType<typeof useServiceForm>;

export function useServiceForm(props: ServiceFormProps & { service: Service | undefined }) {
  const { id, prefill, fix, today, service } = props;
  const draftKey = fix ? `service:fix:${fix.id}` : `service:${id ?? "new"}`;
  const { draft, touched, set } = useTouched(draftKey, prefill, fix, today);
  const { repeats: chosen = null, ...rest } = touched;
  const fields = useFields(service, rest, chosen, today);
  const { shown, booked } = fields;
  const sending = useSending({ ...props, ...fields, draft, draftKey });

  const change = (changes: Partial<ServiceFields>) => {
    sending.forgetProblem();
    const { repeats } = fields;
    const follows = repeats && follow(repeats, shown, changes);
    set(follows ? { ...changes, repeats: follows } : changes);
  };
  const repeat = (repeats: Repeats | null) => {
    sending.forgetProblem();
    set({ repeats });
  };
  const choose = (client_id: string) =>
    change({ client_id, ...(client_id !== shown.client_id && { dog_ids: undefined }) });
  const book = (kind: ServiceFields["service_type"], offering: Bookable | undefined) =>
    change(changesOfBooking({ shown, booked, isNew: !id }, kind, offering));
  return { ...fields, ...sending, draft, change, repeat, choose, book };
}

/** Fields that say when a visit takes place. */
const TIMES = ["date", "start_time", "duration_minutes", "offering_id"] as const;

/** Moves the repetition with the first date; decisions for a date or a time go with it. */
function follow(repeats: Repeats, shown: ServiceFields, changes: Partial<ServiceFields>): Repeats | null {
  if (!TIMES.some((it) => it in changes)) return null;
  const { date = shown.date } = changes;
  return {
    ...repeats,
    rule: ruleMoved(repeats.rule, shown.date, date),
    end: endMoved(repeats, shown.date, date),
    choices: date === shown.date ? choicesThatStay(repeats.choices) : [],
  };
}

/** The end of the repetition; a trip that is put off lasts as long as it did. */
function endMoved({ end, trip }: Repeats, from: string, to: string): Repeats["end"] {
  if (!trip || !to) return end;
  if (end.kind !== "on" || !from) return { kind: "on", date: to };
  return { kind: "on", date: moved(end.date, from, to) };
}

interface SendingProps
  extends ServiceFormProps,
    Pick<ReturnType<typeof useFields>, "shown" | "patch" | "client" | "booked" | "repeats">,
    Pick<ReturnType<typeof useTouched>, "draft"> {
  draftKey: string;
}

/** Returns the core's check of the fields, and the function that saves them. */
function useSending({ id, fix, onClose, shown, patch, client, booked, repeats, draft, draftKey }: SendingProps) {
  /** Errors of the last try; before the first one nothing is said. */
  const [submitted, setSubmitted] = useState<FieldError[]>();
  const [problem, setProblem] = useState<string>();
  /** Price and conflicts, where the eye goes when something is in the way. */
  const panel = useRef<HTMLDivElement>(null);
  const { check, keepCheck } = useCheck(id, patch);
  const { preview, keepPreview } = useBookingPreview(repeats, shown);
  const [, navigate] = useLocation();

  const close = () => {
    toast.success(id ? "Service updated successfully" : "Service scheduled successfully");
    onClose();
    // Also what was typed in the last moment and is not on the disk yet: it was saved with the rest.
    draft.clear();
  };
  const bookSeries = async (repeats: Repeats, preview: SeriesPreview) => {
    setProblem(preview.problem ?? undefined);
    setSubmitted(preview.errors.map(asOfForm));
    if (preview.problem) return;
    try {
      const result = await saveSeries(
        { name: "create_series", args: bookingOf(repeats, shown) },
        {
          sentence: sentenceOf("Schedule", shown, booked, client?.dogs ?? [], preview.sentence),
          done: preview.sentence,
          undone: repeats.trip ? "The trip is no longer booked" : "The series is no longer booked",
        },
        {
          draft: draftKey,
          base_rev: draft.base_rev,
          resolves: fix?.id,
          onShown: () => {
            keepCheck();
            keepPreview();
            leaveDialog(panel.current, () => {
              onClose();
              draft.clear();
            });
          },
        },
      );
      if (result.ok) return;
      setSubmitted(result.fields.map(asOfForm));
      setProblem(result.text);
    } catch {
      setProblem("Failed to schedule service");
      toast.error("Failed to schedule service");
    }
  };
  const submit = async (overlap_ok: boolean) => {
    if (repeats && preview) return bookSeries(repeats, preview);
    if (problem !== undefined || check.problem) setProblem(check.problem ?? undefined);
    if (check.problem || (check.conflict && !overlap_ok)) setSubmitted(check.errors);
    if (check.problem) {
      if (check.at_limit) await explainLimit("services", navigate, { text: check.problem, hasForm: true });
      return;
    }
    if (check.conflict && !overlap_ok) {
      panel.current?.focus({ preventScroll: true });
      panel.current?.scrollIntoView({ block: "nearest" });
      return;
    }
    // Without an amount there is a problem, and this is not reached.
    const command = commandOf({ id, makes: fix?.makes, patch: patch as Partial<Service>, overlap_ok, check });
    const failed = id ? "Failed to update service" : "Failed to schedule service";
    try {
      const result = await save(command, sentenceOf(id ? "Change" : "Schedule", shown, booked, client?.dogs ?? []), {
        draft: draftKey,
        base_rev: draft.base_rev,
        resolves: fix?.id,
        onShown: () => {
          keepCheck();
          leaveDialog(panel.current, close);
        },
      });
      if (result.ok) return;
      setSubmitted(result.fields);
      setProblem(result.text);
    } catch {
      setProblem(failed);
      toast.error(failed);
    }
  };
  const errors = preview ? preview.errors.map(asOfForm) : check.errors;
  // After the first try each field says what is wrong with it now; before, nothing.
  const wrong = (field: string) =>
    submitted === undefined ? undefined : (errors.find((it) => it.field === field)?.text ?? "");
  return { submitted, problem, panel, check, preview, submit, wrong, forgetProblem: () => setProblem(undefined) };
}

/** The first day of a series is the form's date. */
const asOfForm = (error: FieldError): FieldError => (error.field === "begins" ? { ...error, field: "date" } : error);

/** Returns what the core says of a booking that repeats. `keepPreview` freezes it from then on. */
function useBookingPreview(repeats: Repeats | null, shown: ServiceFields) {
  const now = useMinute();
  const kept = useRef<SeriesPreview>(undefined);
  const args = repeats && bookingOf(repeats, shown);
  // Letters of a note change none of its dates.
  const asked = args && JSON.stringify({ ...args, series: { ...args.series, notes: "", internal_notes: "" } });
  const preview = useRead(
    (phone) =>
      asked === null
        ? undefined
        : (kept.current ?? phone.previewSeries({ name: "create_series", args: JSON.parse(asked) }, now)),
    asked,
    now,
  );
  const keepPreview = () => {
    kept.current = preview;
  };
  return { preview, keepPreview };
}

/** Returns the core's check of a service as it would be. `keepCheck` freezes it from then on. */
function useCheck(id: string | undefined, patch: Partial<ServiceFields>) {
  const now = useMinute();
  const waits = !useSyncStatus().canSend;
  // What was just saved is no obstacle to itself: a form on its way out has been checked for the last time.
  const kept = useRef<ScheduleCheck>(undefined);
  const check = useReplica(
    // The core says what is wrong with an amount that is not typed yet.
    (phone) =>
      kept.current ?? phone.checkSchedule({ service_id: id ?? null, service: patch as Partial<Service>, waits }, now),
  );
  const keepCheck = () => {
    kept.current = check;
  };
  return { check, keepCheck };
}

interface Change {
  /** The service to change; none for a new one. */
  id: string | undefined;
  /** The id that the new one was to have when it was refused. */
  makes: string | undefined;
  patch: Partial<Service>;
  overlap_ok: boolean;
  check: ScheduleCheck;
}

const commandOf = ({ id, makes, patch, overlap_ok, check }: Change): Command =>
  id
    ? { name: "update_service", args: { id, changes: patch, overlap_ok } }
    : {
        name: "schedule_service",
        args: { id: makes ?? newId(), service: patch, overlap_ok, quoted_price: check.price },
      };
