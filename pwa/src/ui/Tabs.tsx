/** Owns tabs: arrows, Home and End move between them, the panel follows. */
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
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
  /** Set for tabs that are smaller on a phone, where five of them then have one row. */
  isDense?: boolean;
  /** The panel of the chosen tab. */
  children: ReactNode;
  className?: string;
}

export function Tabs<V extends string>({ label, items, value, onChange, isDense, children, className }: TabsProps<V>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

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
        className={cx(
          "flex flex-wrap gap-x-5 border-b border-line",
          isDense
            ? "max-[26rem]:justify-between max-[26rem]:gap-x-1"
            : "max-[22.5rem]:justify-between max-[22.5rem]:gap-2",
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
              "inline-flex min-h-12 min-w-12 shrink-0 items-center gap-2 border-b-2 border-transparent text-16 font-medium text-ink-2 -outline-offset-3",
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
