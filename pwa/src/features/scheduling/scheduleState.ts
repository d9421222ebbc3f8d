/**
 * Owns where one is in the schedule, kept in the address: view, days, date, and what is open above them.
 * Dialogs are steps of the history, so that the phone's back gesture closes them; the rest replaces.
 */
import { useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { useIsPhone } from "../../browser/device";
import { addressId, type CalendarView } from "../../core";
import { useToday } from "../../parts/dates";
import { goBack, type HistoryStep, useStep } from "../../ui";

export type View = "calendar" | "list" | "availability";

/** First values of a form, as the address has them: where in the calendar a person has pointed, and for whom. */
export interface Prefill {
  date: string | undefined;
  start_time: string | undefined;
  duration_minutes: number | undefined;
  client_id: string | undefined;
  /** How a new booking repeats: `daily`, or days of the week such as `1,3`, 0 = Sunday; empty for the day of its date. */
  every?: string | undefined;
}

/** An act on several visits: the marked ones, a single one, or all of some days. */
export type SeveralAct = "move" | "copy" | "message";

/** Days that are copied whole, both included. */
export interface CopyOf {
  first: string;
  last: string;
}

/** The dialog that lies above the schedule. */
export type OpenDialog =
  | { kind: "new"; prefill: Prefill }
  | { kind: "edit"; id: string; prefill: Prefill }
  | { kind: "details"; id: string }
  | { kind: "series"; id: string }
  | { kind: "change"; id: string; from: string | undefined }
  | { kind: "several"; act: SeveralAct; of: CopyOf | undefined; id: string | undefined }
  | { kind: "fix"; id: string };

export interface ScheduleState {
  view: View;
  /** SPEC 2: five days are the default, but for a phone, which has room for one. What a person chose is remembered. */
  span: CalendarView;
  date: string;
  today: string;
  open: OpenDialog | undefined;
  show: (changes: { view?: View; span?: CalendarView; date?: string; range?: string }) => void;
  /** The range of days that the list begins with, where a link names one. */
  range: string | undefined;
  create: (prefill?: Partial<Prefill>) => void;
  details: (id: string) => void;
  edit: (id: string, prefill?: Partial<Prefill>) => void;
  /** The form that changes a series: from a day on, or all that is to come. */
  changeSeries: (id: string, from?: string) => void;
  /** The dialog of an act on the marked visits. */
  several: (act: SeveralAct) => void;
  /** The dialog that copies one visit, or all of some days. */
  copy: (what: CopyOf | string) => void;
  close: () => void;
}

const ABOVE = [
  "new",
  "on",
  "at",
  "for",
  "client",
  "every",
  "edit",
  "service",
  "series",
  "change",
  "from",
  "fix",
  "several",
  "first",
  "last",
  "of",
];
const DATE = /^\d{4}-\d\d-\d\d$/;

const oneOf = <T extends string>(value: string | null, ...values: T[]): T | undefined =>
  values.find((it) => it === value);

const spanNamed = (value: string | null) => oneOf(value, "day", "five_days", "week");
const SPAN_KEY = "walkies-calendar-span";

export function useScheduleState(): ScheduleState {
  const [params, setParams] = useSearchParams();
  const step = useStep();
  // The browser takes its time with the way back; what is closed goes at once.
  const [closed, setClosed] = useState<HistoryStep | null>();
  const today = useToday();
  const usual = useIsPhone() ? "day" : "five_days";
  // The same as long as nothing of it changes, so that what it was given to can rest.
  return useMemo(
    () => scheduleStateOf(params, setParams, step, today, usual, closed === step, () => setClosed(step)),
    [params, setParams, step, today, usual, closed],
  );
}

function scheduleStateOf(
  params: URLSearchParams,
  setParams: ReturnType<typeof useSearchParams>[1],
  step: HistoryStep | null,
  today: string,
  usual: CalendarView,
  isClosed: boolean,
  setClosed: () => void,
): ScheduleState {
  const go = (changes: Record<string, string | undefined>, how: { replace?: boolean; state?: unknown }) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    setParams(next, how);
  };
  const raise = (changes: Record<string, string | undefined>) => {
    const cleared = Object.fromEntries(ABOVE.map((name) => [name, undefined]));
    // From one dialog to the next is no further step: back leads to the schedule.
    go(
      { ...cleared, ...changes },
      { replace: openOf(params) !== undefined, state: { above: step?.above ?? !openOf(params) } },
    );
  };

  const date = params.get("date");
  return {
    view: oneOf(params.get("view"), "list", "availability") ?? "calendar",
    span: spanNamed(params.get("days")) ?? spanNamed(localStorage.getItem(SPAN_KEY)) ?? usual,
    date: date !== null && DATE.test(date) ? date : today,
    today,
    range: params.get("range") ?? undefined,
    open: isClosed ? undefined : openOf(params),
    show: ({ view, span, date, range }) => {
      if (span) localStorage.setItem(SPAN_KEY, span);
      go(
        {
          ...(view && { view: view === "calendar" ? undefined : view, range }),
          ...(span && { days: span }),
          ...(date && { date: date === today ? undefined : date }),
        },
        { replace: true },
      );
    },
    create: (prefill) => raise({ new: "1", ...pointedAt(prefill) }),
    details: (id) => raise({ service: id }),
    edit: (id, prefill) => raise({ edit: id, ...pointedAt(prefill) }),
    changeSeries: (id, from) => raise({ change: id, from }),
    several: (several) => raise({ several }),
    copy: (what) => raise({ several: "copy", ...(typeof what === "string" ? { of: what } : what) }),
    close: () => {
      setClosed();
      if (step?.above) goBack();
      else go(Object.fromEntries(ABOVE.map((name) => [name, undefined])), { replace: true });
    },
  };
}

const pointedAt = ({ date, start_time, duration_minutes, client_id }: Partial<Prefill> = {}) => ({
  on: date,
  at: start_time,
  for: duration_minutes?.toString(),
  client: client_id,
});

function openOf(params: URLSearchParams): OpenDialog | undefined {
  const like = (name: string, form: RegExp) => {
    const value = params.get(name);
    return value !== null && form.test(value) ? value : undefined;
  };
  const [fix, edit, service, series, change] = ["fix", "edit", "service", "series", "change"].map((name) =>
    addressId(params.get(name)),
  );
  const minutes = like("for", /^\d{1,3}$/);
  const prefill: Prefill = {
    date: like("on", DATE),
    start_time: like("at", /^\d\d:\d\d$/),
    duration_minutes: minutes === undefined ? undefined : Number(minutes),
    client_id: addressId(params.get("client")),
    every: like("every", /^(daily|[0-6](,[0-6]){0,6}|)$/),
  };
  const act = oneOf(params.get("several"), "move", "copy", "message");
  if (act) {
    const [first, last] = [like("first", DATE), like("last", DATE)];
    return { kind: "several", act, of: first && last ? { first, last } : undefined, id: addressId(params.get("of")) };
  }
  if (fix) return { kind: "fix", id: fix };
  if (edit) return { kind: "edit", id: edit, prefill };
  if (service) return { kind: "details", id: service };
  if (change) return { kind: "change", id: change, from: like("from", DATE) };
  if (series) return { kind: "series", id: series };
  return params.has("new") ? { kind: "new", prefill } : undefined;
}
