/**
 * Owns where one is in the schedule, kept in the address: view, days, date, and what is open above them.
 * Dialogs are steps of the history, so that the phone's back gesture closes them; the rest replaces.
 */
import { useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import type { CalendarView } from "../../core";
import { goBack, type Step, useStep } from "../../ui";
import { useToday } from "./clock";
import { useIsPhone } from "./useIsPhone";

export type View = "calendar" | "list" | "availability";

/** What a new service starts with, as the address has it. */
export interface Prefill {
  date: string | undefined;
  start_time: string | undefined;
  client_id: string | undefined;
}

/** What lies above the schedule. */
export type Open =
  | { kind: "new"; prefill: Prefill }
  | { kind: "edit"; id: string }
  | { kind: "details"; id: string }
  | { kind: "fix"; id: string };

export interface Place {
  view: View;
  /** SPEC 2: five days are the default, but for a phone, which has room for one. What a person chose is remembered. */
  span: CalendarView;
  date: string;
  today: string;
  open: Open | undefined;
  show: (changes: { view?: View; span?: CalendarView; date?: string; range?: string }) => void;
  /** Which days the list begins with, where a link says so. */
  range: string | undefined;
  create: (prefill?: Partial<Prefill>) => void;
  details: (id: string) => void;
  edit: (id: string) => void;
  close: () => void;
}

const ABOVE = ["new", "on", "at", "client", "edit", "service", "fix"];
const ID = /^[0-9a-f-]{36}$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;

const oneOf = <T extends string>(value: string | null, ...values: T[]): T | undefined =>
  values.find((it) => it === value);

const spanNamed = (value: string | null) => oneOf(value, "day", "five_days", "week");
const SPAN_KEY = "walkies-calendar-span";

export function usePlace(): Place {
  const [params, setParams] = useSearchParams();
  const step = useStep();
  // The browser takes its time with the way back; what is closed goes at once.
  const [closed, setClosed] = useState<Step | null>();
  const today = useToday();
  const usual = useIsPhone() ? "day" : "five_days";
  // The same as long as nothing of it changes, so that what it was given to can rest.
  return useMemo(
    () => placeAt(params, setParams, step, today, usual, closed === step, () => setClosed(step)),
    [params, setParams, step, today, usual, closed],
  );
}

function placeAt(
  params: URLSearchParams,
  setParams: ReturnType<typeof useSearchParams>[1],
  step: Step | null,
  today: string,
  usual: CalendarView,
  isClosed: boolean,
  setClosed: () => void,
): Place {
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
    create: (prefill = {}) => raise({ new: "1", on: prefill.date, at: prefill.start_time, client: prefill.client_id }),
    details: (id) => raise({ service: id }),
    edit: (id) => raise({ edit: id }),
    close: () => {
      setClosed();
      if (step?.above) goBack();
      else go(Object.fromEntries(ABOVE.map((name) => [name, undefined])), { replace: true });
    },
  };
}

function openOf(params: URLSearchParams): Open | undefined {
  const [fix, edit, service] = ["fix", "edit", "service"].map((name) => {
    const id = params.get(name);
    return id !== null && ID.test(id) ? id : undefined;
  });
  if (fix) return { kind: "fix", id: fix };
  if (edit) return { kind: "edit", id: edit };
  if (service) return { kind: "details", id: service };
  if (!params.has("new")) return undefined;
  const [on, at, client] = [params.get("on"), params.get("at"), params.get("client")];
  return {
    kind: "new",
    prefill: {
      date: on !== null && DATE.test(on) ? on : undefined,
      start_time: at !== null && /^\d\d:\d\d$/.test(at) ? at : undefined,
      client_id: client !== null && ID.test(client) ? client : undefined,
    },
  };
}
