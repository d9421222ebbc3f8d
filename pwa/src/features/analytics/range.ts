/** Owns which days and which tab stand in the address, so that a reload and a step back find them again. */
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import type { FieldError } from "../../core";
import { type PeriodPreset, periodErrors, periodPresets } from "../../core/analytics";
import { useReplica } from "../../data";

export type TabId = "overview" | "revenue" | "bookings" | "clients" | "performance";

export const TABS: readonly { id: TabId; label: string }[] = [
  { id: "overview", label: "Overview" },
  { id: "revenue", label: "Revenue" },
  { id: "bookings", label: "Bookings" },
  { id: "clients", label: "Clients" },
  { id: "performance", label: "Performance" },
];

/** Days, both included. */
export interface Range {
  first: string;
  last: string;
  /** The preset that they are of, if any. */
  days: number | undefined;
  /** Why they cannot be looked at, by `startDate` and `endDate`. */
  errors: readonly FieldError[];
}

export interface Address {
  range: Range;
  presets: readonly PeriodPreset[];
  tab: TabId;
  setTab: (tab: TabId) => void;
  setDays: (days: number) => void;
  setDates: (first: string, last: string) => void;
}

export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const presets = periodPresets(today);
  const asked = params.get("tab");
  const tab = TABS.find((it) => it.id === asked)?.id ?? "overview";
  const change = (next: Record<string, string | undefined>) =>
    setParams(
      (before) => {
        const wanted = { ...Object.fromEntries(before), ...next };
        return Object.fromEntries(Object.entries(wanted).filter((it): it is [string, string] => it[1] !== undefined));
      },
      { replace: true },
    );
  return {
    range: rangeOf(params, presets, today),
    presets,
    tab,
    setTab: (id) => change({ tab: id === "overview" ? undefined : id }),
    setDays: (days) => {
      const isDefault = presets.some((it) => it.is_default && it.days === days);
      change({ days: isDefault ? undefined : String(days), from: undefined, to: undefined });
    },
    setDates: (from, to) => change({ days: undefined, from, to }),
  };
}

const DATE = /^\d{4}-\d\d-\d\d$/;

function rangeOf(params: URLSearchParams, presets: readonly PeriodPreset[], today: string): Range {
  const [from, to] = [params.get("from"), params.get("to")];
  const isSaid = from && to && DATE.test(from) && DATE.test(to);
  if (isSaid) return { first: from, last: to, days: undefined, errors: errorsOf(from, to, today) };
  const asked = Number(params.get("days"));
  const preset = presets.find((it) => it.days === asked) ?? presets.find((it) => it.is_default);
  const { startDate, endDate } = preset?.period ?? { startDate: today, endDate: today };
  return { first: startDate, last: endDate, days: preset?.days, errors: [] };
}

/** An address may have days that no calendar has. */
function errorsOf(first: string, last: string, today: string): readonly FieldError[] {
  try {
    return periodErrors(first, last, today);
  } catch {
    return [{ field: "startDate", text: "That is no date" }];
  }
}
