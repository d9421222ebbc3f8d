/**
 * Owns what lies over a screen: a sheet from below on a phone, a window in the middle on a desktop.
 * The native element keeps the focus inside and hears Esc; the focus is given back by hand.
 */
import { X } from "lucide-react";
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";

interface DialogProps {
  open: boolean;
  /** On Esc, the cross, or a click beside it; the owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  /** Under the title. */
  sub?: ReactNode;
  /** How wide on a desktop: a question, a form, the schedule form. */
  size?: "small" | "medium" | "large";
  /** False where a stray click beside it must not close it; Esc and the cross still do. */
  dismissible?: boolean;
  children: ReactNode;
}

const WIDTH = { small: "md:w-110", medium: "md:w-150", large: "md:w-220" };

export function Dialog(props: DialogProps) {
  // What is closed has no state: the next opening begins anew.
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, title, sub, size = "medium", dismissible = true, children }: DialogProps) {
  const modal = useModal(onClose, dismissible);
  const titleId = useId();

  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className={cx(
        "m-0 mt-auto max-h-none w-full max-w-none overflow-visible bg-transparent md:m-auto md:max-w-[calc(100vw-64px)]",
        "animate-rise md:animate-appear",
        WIDTH[size],
      )}
    >
      <div
        className={cx(
          "flex max-h-[92dvh] flex-col overflow-hidden rounded-t-[26px] border-line bg-card text-ink shadow-float md:max-h-[86dvh]",
          "border-t md:rounded-large md:border",
        )}
      >
        <header className="flex items-start gap-3 py-2 pr-2 pl-5 md:pt-3">
          <div className="min-w-0 flex-1 py-3">
            <h2 id={titleId} tabIndex={-1} data-first-focus className="text-20 font-bold outline-none">
              {title}
            </h2>
            {sub && <div className="text-14 text-ink-2 text-pretty">{sub}</div>}
          </div>
          <IconButton label="Close" onClick={onClose} className="text-ink-2">
            <X />
          </IconButton>
        </header>
        {/* What is scrolled to shows its label, and does not end up under the buttons at the foot. */}
        <div className="min-h-0 flex-1 scroll-pt-10 scroll-pb-24 overflow-y-auto overscroll-contain px-5 pb-[max(20px,env(safe-area-inset-bottom))]">
          {children}
        </div>
      </div>
    </dialog>
  );
}

/** Long enough for the frame that shows what was saved, too short to be noticed. */
const LEAVE_MS = 50;

/**
 * Takes the dialog around `inside` out of sight at once and runs `then`, which closes it, a moment later. Closing lets
 * the browser lay out the whole page again; what was just saved need not wait for that.
 */
export function leaveDialog(inside: Element | null, then: () => void): void {
  const dialog = inside?.closest("dialog");
  if (dialog) dialog.dataset.leaving = "";
  requestAnimationFrame(() => setTimeout(then, LEAVE_MS));
}

/** The element that had the focus before the dialog that has just gone, for the one that comes in its place. */
let handedOn: Element | null = null;

/** Properties that make a `<dialog>` a modal one. */
interface Modal {
  ref: RefObject<HTMLDialogElement | null>;
  onCancel: (event: SyntheticEvent) => void;
  onPointerDown: (event: SyntheticEvent) => void;
  onClickCapture: (event: SyntheticEvent) => void;
  onClick: (event: SyntheticEvent) => void;
}

const isLeaving = (dialog: HTMLDialogElement | null) => dialog?.dataset.leaving !== undefined;

/**
 * Opens the `<dialog>` that this is given to, for as long as it is there, and gives the focus back after it.
 * The focus goes to what has `data-autofocus`, else to what has `data-first-focus`: not to the cross, which comes first.
 */
export function useModal(onClose: () => void, dismissible = true): Modal {
  const ref = useRef<HTMLDialogElement>(null);
  const before = useRef<Element>(null);
  const isPressedBeside = useRef(false);
  useLayoutEffect(() => {
    const element = ref.current;
    const root = document.documentElement;
    // The page behind the dialog stays where it is. Where it has a scrollbar the place of that is kept.
    if (innerWidth > root.clientWidth) root.style.scrollbarGutter = "stable";
    root.style.overflow = "hidden";
    before.current = document.activeElement === document.body ? handedOn : document.activeElement;
    element?.showModal();
    const first = element?.querySelector<HTMLElement>("[data-autofocus]");
    (first ?? element?.querySelector<HTMLElement>("[data-first-focus]"))?.focus({ preventScroll: true });
    return () => {
      handedOn = before.current;
    };
  }, []);
  useEffect(
    () => () => {
      // After the element has gone. Closing it first would lay the page out once more, just to give the focus back.
      handedOn = null;
      if (!document.querySelector("dialog[open]")) {
        const { style } = document.documentElement;
        style.overflow = "";
        style.scrollbarGutter = "";
      }
      giveFocusBack(before.current);
    },
    [],
  );
  // Only the backdrop is the dialog itself; everything in it lies on an inner box.
  const isBeside = (event: SyntheticEvent) => event.target === event.currentTarget;
  return {
    ref,
    onCancel: (event) => {
      // That of a dialog within this one, or of a file input, comes by here, too.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      // One that is on its way out is closed already; a second time would be a step too far back in the history.
      if (!isLeaving(ref.current)) onClose();
    },
    onPointerDown: (event) => {
      isPressedBeside.current = isBeside(event);
    },
    // Nor is anything in it pressed any more: what was sent would be sent again.
    onClickCapture: (event) => {
      if (!isLeaving(ref.current)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    // Not before the finger is up again, or what lies under it would be pressed.
    onClick: (event) => {
      if (dismissible && isPressedBeside.current && isBeside(event)) onClose();
    },
  };
}

/** To what had it, or where that has gone, to the top of what is open now. Leaves a focus that went elsewhere alone. */
export function giveFocusBack(to: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  if (document.activeElement !== document.body || to === document.body) return;
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const top = dialog ? dialog.querySelector<HTMLElement>("[data-first-focus]") : document.getElementById("content");
  top?.focus({ preventScroll: true });
}

/** The buttons at the foot of a dialog; they stay in sight while the rest scrolls. The main one comes last. */
export function DialogActions({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cx(
        "sticky bottom-[calc(-1*max(20px,env(safe-area-inset-bottom)))] z-1 -mx-5 -mb-[max(20px,env(safe-area-inset-bottom))] flex flex-wrap gap-2",
        "border-t border-line bg-card px-5 pt-3 pb-[max(20px,env(safe-area-inset-bottom))] *:flex-1 md:justify-end md:*:flex-none",
        className,
      )}
    >
      {children}
    </div>
  );
}
