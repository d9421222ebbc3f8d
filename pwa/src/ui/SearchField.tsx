/** Owns searching a list on the screen: `/` jumps to it, Esc empties it. */
import { Search, X } from "lucide-react";
import { useId, useRef } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";
import { CONTROL } from "./Field";
import { useShortcut } from "./shortcuts";

interface SearchFieldProps {
  /** Name of the search: 'Search clients'. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Set on a screen that was opened to search. */
  autoFocus?: boolean;
  className?: string;
}

export function SearchField({ label, value, onChange, placeholder, autoFocus, className }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useShortcut("/", label, () => input.current?.focus());
  return (
    <search className={cx("relative block", className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="pointer-events-none absolute top-[14px] left-3 size-5 text-ink-3" />
      <input
        ref={input}
        id={id}
        dir="auto"
        type="search"
        value={value}
        placeholder={placeholder ?? label}
        autoComplete="off"
        autoFocus={autoFocus}
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (value === "") event.currentTarget.blur();
          else onChange("");
        }}
        className={cx(CONTROL, "appearance-none pr-12 pl-10 [&::-webkit-search-cancel-button]:hidden")}
      />
      {value !== "" && (
        <span className="absolute top-0 right-0 text-ink-2">
          <IconButton
            label="Clear search"
            onClick={() => {
              onChange("");
              input.current?.focus();
            }}
          >
            <X />
          </IconButton>
        </span>
      )}
    </search>
  );
}
