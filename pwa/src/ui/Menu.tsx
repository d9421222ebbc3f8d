/** Owns the small list of acts behind a button; arrows move in it, Esc and a click elsewhere close it. */
import { Check } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef, useState } from "react";
import { cx } from "./cx";

export interface MenuItem {
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  /** Set where the act destroys something. */
  danger?: boolean;
  disabled?: boolean;
  /** Set where it is one of some of which one holds. */
  checked?: boolean;
}

/** An act, or a line between some and others. */
export type MenuEntry = MenuItem | "line";

export interface MenuTriggerProps {
  "aria-haspopup": "menu";
  "aria-expanded": boolean;
  "aria-controls": string;
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

interface MenuProps {
  /** For those who do not see the button's place. */
  label: string;
  items: readonly (MenuEntry | null | false | undefined)[];
  /** Spread what it gets onto a `Button` or `IconButton`. */
  trigger: (props: MenuTriggerProps) => ReactNode;
  /** Above the items, as who is signed in. */
  header?: ReactNode;
  /** Runs each time that it opens. */
  onOpen?: () => void;
}

export function Menu({ label, items, trigger, header, onOpen }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);

  const show = (event: MouseEvent<HTMLElement>) => {
    const list = popover.current;
    if (!list) return;
    if (list.matches(":popover-open")) {
      list.hidePopover();
      return;
    }
    opener.current = event.currentTarget;
    const button = event.currentTarget.getBoundingClientRect();
    list.showPopover();
    // Below the button and within the window, above it where there is no room.
    const gap = 6;
    const left = Math.min(Math.max(8, button.right - list.offsetWidth), innerWidth - list.offsetWidth - 8);
    const below = button.bottom + gap;
    const top = below + list.offsetHeight > innerHeight - 8 ? button.top - gap - list.offsetHeight : below;
    list.style.left = `${left}px`;
    list.style.top = `${Math.max(8, top)}px`;
    entriesOf(list)[0]?.focus();
  };

  const close = () => {
    popover.current?.hidePopover();
    opener.current?.focus();
  };

  const move = (event: KeyboardEvent) => {
    const entries = entriesOf(popover.current);
    const at = entries.findIndex((it) => it === document.activeElement);
    const to = {
      ArrowDown: (at + 1) % entries.length,
      ArrowUp: (at + entries.length - 1) % entries.length,
      Home: 0,
      End: entries.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      entries[to]?.focus();
    } else if (event.key === "Escape") {
      // Not also the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") close();
  };

  return (
    <>
      {trigger({ "aria-haspopup": "menu", "aria-expanded": open, "aria-controls": id, onClick: show })}
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={move}
        onToggle={(event) => {
          const isOpen = event.newState === "open";
          setOpen(isOpen);
          if (isOpen) onOpen?.();
        }}
        className="fixed inset-auto m-0 max-h-[calc(100dvh-16px)] max-w-[calc(100vw-16px)] min-w-56 animate-appear overflow-y-auto rounded-large border border-line bg-card p-1 text-ink shadow-float"
      >
        {header && <div className="border-b border-line px-3 py-2">{header}</div>}
        {items.map(
          (it, index) =>
            it &&
            (it === "line" ? (
              // The list of a menu does not change while it is open.
              // oxlint-disable-next-line react/no-array-index-key
              <hr key={index} className="my-1 border-line" />
            ) : (
              <button
                // The list of a menu does not change while it is open.
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                type="button"
                role={it.checked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={it.checked}
                tabIndex={-1}
                disabled={it.disabled}
                onClick={() => {
                  close();
                  it.onSelect();
                }}
                className={cx(
                  "flex min-h-12 w-full items-center gap-3 rounded-small px-3 text-left font-medium hover:bg-sunken focus-visible:bg-sunken",
                  "-outline-offset-3 disabled:opacity-45 [&>svg]:size-5 [&>svg]:shrink-0",
                  it.danger && "text-danger",
                )}
              >
                {it.icon}
                {it.label}
                {it.checked && <Check aria-hidden className="ml-auto" />}
              </button>
            )),
        )}
      </div>
    </>
  );
}

const entriesOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? []),
];
