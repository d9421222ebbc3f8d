/**
 * Owns short words about what was just done: `toast.success("Client saved", { label: "Undo", onAction: undo })`.
 * Read to screen readers. Never the only place where an error stands. One `ToastHost` in the app shows them.
 */

import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";
import { cx } from "./cx";

export interface ToastAction {
  label: string;
  onAction: () => void;
  /** Id of what the act changes: an older toast about it goes, whose act would take back the newer change too. */
  about?: string | undefined;
}

interface Shown {
  id: number;
  kind: "success" | "error" | "info";
  text: string;
  action: ToastAction | undefined;
}

const SHOWN_MS = 5_000;
/** Time to notice it, and for each letter to read it. */
const NOTICED_MS = 3_000;
const READ_MS = 50;
/** Time to read, to be annoyed, and to find the button. */
const SHOWN_WITH_ACTION_MS = 10_000;
/** More than this at once is a wall. */
const MOST = 3;

let toasts: readonly Shown[] = [];
let lastId = 0;
const changes = new Listeners();

function set(next: readonly Shown[]): void {
  toasts = next.slice(-MOST);
  changes.notify();
}

/**
 * Returns a function that shows a toast of this kind, which in turn returns one that takes it away, as when it is not
 * true any more.
 */
const say =
  (kind: Shown["kind"]) =>
  (text: string, action?: ToastAction): (() => void) => {
    lastId += 1;
    const id = lastId;
    // The same words again replace themselves.
    const isOver = (it: Shown) => it.text === text || (action?.about && it.action?.about === action.about);
    set([...toasts.filter((it) => !isOver(it)), { id, kind, text, action }]);
    return () => dismiss(id);
  };

export const toast = {
  success: say("success"),
  error: say("error"),
  info: say("info"),
  /** Takes all of them away: who comes next has done none of it. */
  clear: () => set([]),
  /** Takes away those with an act, which would change what was open when they were shown. */
  clearActions: () => set(toasts.filter((it) => it.action === undefined)),
};

const dismiss = (id: number) => set(toasts.filter((it) => it.id !== id));

const ICON = {
  success: <CircleCheck aria-hidden className="text-completed" />,
  error: <CircleAlert aria-hidden className="text-danger" />,
  info: <Info aria-hidden className="text-scheduled" />,
};

/** Distance between the toasts and the last line above them. */
const GAP_PX = 12;

const root = document.documentElement;

/** Gives a page on a phone so much room at its end that its last line can be scrolled to above the toasts. */
function makeRoom(toastsHeight: number): void {
  root.style.setProperty("--toasts", `${toastsHeight + GAP_PX}px`);
}

/** Takes the room back; if it is in sight only once the page is scrolled, which would move under a finger else. */
function takeRoomBack(): void {
  if (toasts.length > 0) return;
  const room = Number.parseFloat(root.style.getPropertyValue("--toasts")) || 0;
  const isInSight = scrollY > 0 && root.scrollHeight - innerHeight - scrollY < room;
  if (isInSight) addEventListener("scroll", takeRoomBack, { once: true, passive: true });
  else root.style.removeProperty("--toasts");
}

export function ToastHost() {
  const shown = useSyncExternalStore(changes.subscribe, () => toasts);
  const host = useRef<HTMLDivElement>(null);
  const isEmpty = shown.length === 0;
  useEffect(() => {
    const element = host.current;
    if (isEmpty || !element) return undefined;
    const observer = new ResizeObserver(() => makeRoom(element.offsetHeight));
    observer.observe(element);
    return () => {
      observer.disconnect();
      takeRoomBack();
    };
  }, [isEmpty]);
  useEffect(() => {
    // A popover lies in the top layer, above an open dialog; shown anew, above the newest one.
    if (host.current?.matches(":popover-open")) host.current.hidePopover();
    if (shown.length > 0) host.current?.showPopover();
  }, [shown]);
  return (
    <div
      ref={host}
      popover="manual"
      className={cx(
        "fixed inset-x-3 top-auto bottom-[calc(84px+var(--status,0px)+var(--acts,0px)+env(safe-area-inset-bottom))] m-0 mx-auto w-auto max-w-110 overflow-visible bg-transparent",
        // Above a sheet whose buttons are at its foot.
        "max-md:[:root:has(dialog[open])_&]:top-[calc(12px+env(safe-area-inset-top))] max-md:[:root:has(dialog[open])_&]:bottom-auto",
        "md:right-5 md:bottom-[calc(20px+var(--acts-wide,0px))] md:left-auto md:mx-0 md:w-100",
      )}
    >
      <div role="log" aria-live="polite" aria-label="Notices" className="grid gap-2">
        {shown.map((it) => (
          <Toast key={it.id} {...it} />
        ))}
      </div>
    </div>
  );
}

function Toast({ id, kind, text, action }: Shown) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    const plain = Math.max(SHOWN_MS, NOTICED_MS + text.length * READ_MS);
    const timer = setTimeout(() => dismiss(id), action ? SHOWN_WITH_ACTION_MS : plain);
    return () => clearTimeout(timer);
  }, [id, action, held, text]);
  return (
    <div
      role={kind === "error" ? "alert" : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex min-h-12 animate-rise flex-wrap items-center justify-end gap-x-3 rounded-large border border-line bg-card pl-4 text-ink shadow-float [&>svg]:size-5 [&>svg]:shrink-0"
    >
      {ICON[kind]}
      <p className="min-w-0 flex-1 basis-[6.5rem] py-3 text-14 font-medium wrap-anywhere">{text}</p>
      {action && (
        <button
          type="button"
          className="min-h-12 px-2 text-14 font-bold underline underline-offset-2"
          onClick={() => {
            dismiss(id);
            action.onAction();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-12 shrink-0 place-items-center text-ink-3"
        onClick={() => dismiss(id)}
      >
        <X aria-hidden className="size-5" />
      </button>
    </div>
  );
}
