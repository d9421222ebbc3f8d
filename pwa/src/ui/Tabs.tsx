/**
 * Owns tabs: arrows, Home and End move between them, the panel follows. They are one row, which scrolls where it is too
 * long and fades out at the side that has more.
 */
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { cx } from "./cx";

export interface TabItem<V extends string> {
  id: V;
  label: ReactNode;
  /** How many things are in it. */
  count?: number | undefined;
}

interface TabsProps<V extends string> {
  label: string;
  items: readonly TabItem<V>[];
  value: V;
  onChange: (value: V) => void;
  /** Set for tabs that are smaller on a phone, where more of them are in sight then. */
  isDense?: boolean;
  /** The panel of the chosen tab. */
  children: ReactNode;
  className?: string;
}

export function Tabs<V extends string>({ label, items, value, onChange, isDense, children, className }: TabsProps<V>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { hasBefore, hasAfter, look } = useMore(list);
  useEffect(() => {
    const [row, tab] = [list.current, list.current?.querySelector<HTMLElement>('[aria-selected="true"]')];
    // Not `scrollIntoView`, which would move the page as well.
    if (value && row && tab) row.scrollTo({ left: tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2 });
  }, [value]);

  const move = (event: KeyboardEvent) => {
    const at = items.findIndex((it) => it.id === value);
    const to = {
      ArrowRight: (at + 1) % items.length,
      ArrowLeft: (at + items.length - 1) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    const item = to === undefined ? undefined : items[to];
    if (to === undefined || !item) return;
    event.preventDefault();
    onChange(item.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
  };

  return (
    <div className={cx("min-w-0", className)}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        onScroll={look}
        className={cx(
          "relative flex overflow-x-auto overflow-y-hidden overscroll-x-contain border-b border-line [scrollbar-width:none]",
          isDense ? "gap-x-5 max-[26rem]:gap-x-3" : "gap-x-5 max-[22.5rem]:gap-x-3",
          hasBefore && hasAfter && "mask-x-from-[calc(100%-24px)] mask-x-to-100%",
          hasBefore && !hasAfter && "mask-l-from-[calc(100%-24px)] mask-l-to-100%",
          !hasBefore && hasAfter && "mask-r-from-[calc(100%-24px)] mask-r-to-100%",
        )}
      >
        {items.map((it) => (
          <button
            key={it.id}
            type="button"
            role="tab"
            id={`${id}-${it.id}`}
            aria-selected={it.id === value}
            aria-controls={`${id}-panel`}
            tabIndex={it.id === value ? 0 : -1}
            onClick={() => onChange(it.id)}
            className={cx(
              "inline-flex min-h-12 min-w-12 shrink-0 items-center gap-2 whitespace-nowrap border-b-2 border-transparent text-16 font-medium text-ink-2 -outline-offset-3",
              isDense ? "max-[26rem]:text-14" : "max-[22.5rem]:text-14",
              "transition-colors hover:text-ink aria-selected:border-act aria-selected:font-bold aria-selected:text-ink",
            )}
          >
            {it.label}
            {it.count !== undefined && (
              <span className="num rounded-full bg-sunken px-2 text-12 leading-5 text-ink-2">{it.count}</span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  );
}

/** Says whether a row that scrolls sideways has more at its ends. */
function useMore(row: RefObject<HTMLElement | null>) {
  const [more, setMore] = useState({ hasBefore: false, hasAfter: false });
  const look = () => {
    const element = row.current;
    if (!element) return;
    const { scrollLeft, scrollWidth, clientWidth } = element;
    const hasBefore = scrollLeft > 1;
    const hasAfter = scrollLeft + clientWidth < scrollWidth - 1;
    setMore((was) => (was.hasBefore === hasBefore && was.hasAfter === hasAfter ? was : { hasBefore, hasAfter }));
  };
  useEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const tab of element.children) observer.observe(tab);
    return () => observer.disconnect();
  });
  return { ...more, look };
}
