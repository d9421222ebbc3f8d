/**
 * Owns the command palette: one line for clients, invoices, dates, sections, settings and what one begins most often.
 * Arrows choose, Enter goes there; the focus stays in the line.
 */
import {
  ArrowLeftRight,
  CalendarDays,
  CalendarOff,
  CalendarPlus,
  CircleAlert,
  FileUp,
  Keyboard,
  MessageSquarePlus,
  ReceiptText,
  Repeat,
  Search,
  Send,
  Settings,
  UserRound,
  UserRoundPlus,
} from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useLocation } from "wouter";
import { useIsPhone } from "../browser/device";
import { type ClientOption, formatDateHeading, formatNames, formatTime, plusDays, type TypedSeries } from "../core";
import { useRead } from "../data";
import { useSwitch } from "../parts/account/SwitchRole";
import { findSettings } from "../parts/account/settings";
import { useToday, yearOf } from "../parts/dates";
import { matches } from "../parts/matches";
import { cx } from "../ui";
import { useModal } from "../ui/Dialog";
import { showShortcuts } from "./ShortcutList";
import { menuSections } from "./sections";

interface PaletteEntry {
  label: string;
  icon: ReactNode;
  /** The path that it leads to, or the action that it runs. */
  to: string | (() => void);
}

interface Group {
  name: string;
  entries: PaletteEntry[];
}

/** More is a list that nobody reads; a word more of the name finds the rest. */
const MOST_CLIENTS = 8;
const MOST_INVOICES = 5;
const MOST_SETTINGS = 6;

export default function Palette({ onClose }: { onClose: () => void }) {
  const modal = useModal(onClose);
  const id = useId();
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const groups = useGroups(text.trim());
  const entries = groups.flatMap((it) => it.entries);
  const at = Math.min(chosen, entries.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  const go = ({ to }: PaletteEntry) => {
    onClose();
    if (typeof to === "string") navigate(to);
    else to();
  };
  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(optionId(index))?.scrollIntoView({ block: "nearest", behavior: "instant" });
  };
  const press = (event: KeyboardEvent) => {
    const entry = entries[at];
    if (!entry) return;
    const to = nextIndex(event.key, at, entries.length);
    if (to !== undefined) {
      event.preventDefault();
      choose(to);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      go(entry);
    }
  };

  return (
    <dialog
      {...modal}
      aria-label="Search or go to"
      className="m-0 mx-auto mt-[10dvh] max-h-none w-[min(37.5rem,calc(100vw-32px))] max-w-none animate-appear overflow-visible bg-transparent"
    >
      <div className="flex max-h-[76dvh] flex-col overflow-hidden rounded-large border border-line bg-card text-ink shadow-float">
        <SearchLine
          listId={id}
          activeId={entries.length > 0 ? optionId(at) : undefined}
          text={text}
          onText={(it) => {
            setText(it);
            setChosen(0);
          }}
          onKeyDown={press}
        />
        <div
          id={id}
          role="listbox"
          aria-label="Found"
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
        >
          {groups.map(({ name, entries: those }) => (
            <div key={name} role="group" aria-label={name}>
              <p aria-hidden className="px-3 pt-2 pb-1 text-12 font-medium text-ink-2">
                {name}
              </p>
              {those.map((entry) => {
                const index = entries.indexOf(entry);
                return (
                  <Option
                    key={entry.label}
                    id={optionId(index)}
                    entry={entry}
                    isChosen={index === at}
                    onPoint={() => setChosen(index)}
                    onPick={() => go(entry)}
                  />
                );
              })}
            </div>
          ))}
          {entries.length === 0 && <p className="px-3 py-4 text-14 text-ink-2">Nothing found for “{text.trim()}”</p>}
        </div>
        <p role="status" className="sr-only">
          {entries.length === 0 ? "Nothing found" : entries.length === 1 ? "1 found" : `${entries.length} found`}
        </p>
      </div>
    </dialog>
  );
}

/**
 * Returns the index that a key moves to from `at` among `count` entries, wrapping around; `undefined` for other keys.
 */
const nextIndex = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: (at + 1) % count, ArrowUp: (at + count - 1) % count, PageDown: count - 1, PageUp: 0 })[key];

interface SearchLineProps {
  listId: string;
  /** The id of the chosen option; absent where there is none. */
  activeId: string | undefined;
  text: string;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function SearchLine({ listId, activeId, text, onText, onKeyDown }: SearchLineProps) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden className="size-5 shrink-0 text-ink-3" />
      <input
        data-autofocus=""
        role="combobox"
        aria-label="Search or go to"
        aria-expanded={activeId !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="A client, an invoice, a section, or a day such as nov 30"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-14 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-ink-3"
      />
    </div>
  );
}

interface OptionProps {
  id: string;
  entry: PaletteEntry;
  isChosen: boolean;
  onPoint: () => void;
  onPick: () => void;
}

function Option({ id, entry, isChosen, onPoint, onPick }: OptionProps) {
  return (
    <button
      id={id}
      type="button"
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      // The focus stays where one types.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onPick}
      className={cx(
        "num flex min-h-12 w-full items-center gap-3 rounded-small px-3 text-left font-medium [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ink-2",
        isChosen && "bg-sunken",
      )}
    >
      {entry.icon}
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
    </button>
  );
}

/**
 * Returns the palette's entries for the text in groups, the likeliest first; for an empty text those that one begins
 * with.
 */
function useGroups(text: string): Group[] {
  const today = useToday();
  const isPhone = useIsPhone();
  const clients = useRead((phone) => (text === "" ? [] : phone.findClients(text, MOST_CLIENTS)), text);
  const invoices = useRead((phone) => (text === "" ? [] : phone.findInvoices(text, MOST_INVOICES)), text);
  const date = useRead((phone) => phone.findDate(text, Date.now()), text, today);
  const [only] = clients.length === 1 ? clients : [];
  const series = useRead((phone) => phone.findSeries(text, Date.now()), text, today);
  const wanted = series?.search ?? "";
  const theirs = useRead((phone) => (wanted === "" ? [] : phone.findClients(wanted, MOST_CLIENTS)), wanted);
  const other = useSwitch();
  const acts = actions(today, isPhone);
  if (other) acts.push({ label: other.label, icon: <ArrowLeftRight aria-hidden />, to: () => void other.go() });
  const groups: Group[] = [
    { name: "Bookings that repeat", entries: series ? seriesEntries(series, theirs) : [] },
    {
      name: "Invoices",
      entries: invoices.map(({ number, label }) => ({
        label,
        icon: <ReceiptText aria-hidden />,
        to: `/invoices?${new URLSearchParams({ tab: "history", search: number })}`,
      })),
    },
    { name: "Days", entries: date === undefined ? [] : dayEntries(date, today) },
    { name: "Actions", entries: acts.filter((it) => matches(it.label, text)) },
    {
      name: "Clients",
      entries: clients.map(({ id, label }) => ({ label, icon: <UserRound aria-hidden />, to: `/clients/${id}` })),
    },
    {
      name: "Visits",
      entries: only
        ? [
            {
              label: `Schedule a visit for ${only.label}`,
              icon: <CalendarPlus aria-hidden />,
              to: `/scheduling?new=1&client=${only.id}`,
            },
          ]
        : [],
    },
    {
      name: "Go to",
      entries: menuSections
        .filter((it) => matches(it.label, text))
        .map(({ label, icon: Icon, path }) => ({ label, icon: <Icon aria-hidden />, to: path })),
    },
    {
      name: "Settings",
      entries: findSettings(text)
        .slice(0, MOST_SETTINGS)
        .map(({ label, group, path }) => ({ label: `${label} (${group})`, icon: <Settings aria-hidden />, to: path })),
    },
  ];
  return groups.filter((it) => it.entries.length > 0);
}

/** `Repeat on Mon at 12:00 PM`, for each client that the other words find. */
function seriesEntries(series: TypedSeries, clients: readonly ClientOption[]): PaletteEntry[] {
  const { weekdays, is_daily, begins, start_time, search } = series;
  const days = is_daily ? "every day" : weekdays.length > 0 ? `on ${formatNames(weekdays.map(dayName))}` : "every week";
  const what = `Repeat ${days}${start_time ? ` at ${formatTime(start_time)}` : ""}`;
  const path = (client?: string) => {
    const fields = {
      new: "1",
      every: is_daily ? "daily" : weekdays.join(","),
      ...(begins && { on: begins }),
      ...(start_time && { at: start_time }),
      ...(client && { client }),
    };
    return `/scheduling?${new URLSearchParams(fields)}`;
  };
  const icon = <Repeat aria-hidden />;
  if (search === "") return [{ label: what, icon, to: path() }];
  return clients.map(({ id, label }) => ({ label: `${what} for ${label}`, icon, to: path(id) }));
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const dayName = (weekday: number): string => WEEKDAYS[weekday] ?? "";

const dayPath = (date: string, today: string) => (date === today ? "/scheduling" : `/scheduling?date=${date}`);

function dayEntries(date: string, today: string): PaletteEntry[] {
  const year = yearOf(date) === yearOf(today) ? "" : `, ${yearOf(date)}`;
  const name = `${formatDateHeading(date)}${year}`;
  const entries = [{ label: name, icon: <CalendarDays aria-hidden />, to: dayPath(date, today) }];
  if (date < today) return entries;
  const form = `/scheduling?date=${date}&new=1&on=${date}`;
  return [...entries, { label: `Schedule a visit on ${name}`, icon: <CalendarPlus aria-hidden />, to: form }];
}

/** The path that opens the form of a blocked time. */
const BLOCK_TIME = "/scheduling?view=availability&tab=blocked&block=1";

const actions = (today: string, isPhone: boolean): PaletteEntry[] => [
  { label: "Schedule a visit", icon: <CalendarPlus aria-hidden />, to: "/scheduling?new=1" },
  { label: "Block time", icon: <CalendarOff aria-hidden />, to: BLOCK_TIME },
  { label: "Add a client", icon: <UserRoundPlus aria-hidden />, to: "/clients?form=add" },
  { label: "Create an invoice", icon: <ReceiptText aria-hidden />, to: "/invoices" },
  { label: "Bill all clients", icon: <ReceiptText aria-hidden />, to: "/invoices?bill=all" },
  { label: "Write a message", icon: <MessageSquarePlus aria-hidden />, to: "/messages?new=search" },
  { label: "Go to today", icon: <CalendarDays aria-hidden />, to: dayPath(today, today) },
  { label: "Go to tomorrow", icon: <CalendarDays aria-hidden />, to: dayPath(plusDays(today, 1), today) },
  { label: "Import clients", icon: <FileUp aria-hidden />, to: "/clients/import" },
  { label: "Import a schedule", icon: <FileUp aria-hidden />, to: "/scheduling/import" },
  { label: "Needs attention", icon: <CircleAlert aria-hidden />, to: "/attention" },
  { label: "To send", icon: <Send aria-hidden />, to: "/to-send" },
  // A phone has no list of them.
  ...(isPhone ? [] : [{ label: "Keyboard shortcuts", icon: <Keyboard aria-hidden />, to: showShortcuts }]),
];
