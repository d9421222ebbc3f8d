/**
 * Owns the button that must be held, for what a raindrop or a sleeve must not do.
 * A screen reader's or switch's click, which cannot hold, is asked instead.
 */
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import { type ButtonKind } from "./Button";
import { confirm } from "./ConfirmDialog";
import { cx } from "./cx";

interface HoldButtonProps {
  /** Says that it wants to be held: 'Hold to end'. */
  children: ReactNode;
  onHold: () => void;
  /** The question for those who cannot hold. */
  question: string;
  kind?: Exclude<ButtonKind, "plain">;
  /** How long, in ms. */
  holdMs?: number;
  className?: string;
  disabled?: boolean;
}

const LOOK = {
  primary: "bg-act text-on-act",
  quiet: "bg-card text-ink shadow-[inset_0_0_0_1px_var(--color-line)]",
  danger: "bg-danger text-on-danger",
};

export function HoldButton({
  children,
  onHold,
  question,
  kind = "primary",
  holdMs = 900,
  className,
  disabled,
}: HoldButtonProps) {
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A click that follows a press of pointer or key is that press's own; only one out of nowhere is asked.
  const pressed = useRef(false);

  const press = () => {
    if (disabled || timer.current) return;
    pressed.current = true;
    setHeld(true);
    timer.current = setTimeout(() => {
      release();
      navigator.vibrate?.(40);
      onHold();
    }, holdMs);
  };
  const release = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <button
      type="button"
      disabled={disabled}
      className={cx(
        "relative inline-flex min-h-12 touch-none items-center justify-center gap-2 overflow-hidden rounded-large px-4",
        "text-16 leading-tight font-bold select-none disabled:opacity-45",
        LOOK[kind],
        className,
      )}
      onPointerDown={(event) => event.button === 0 && press()}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => (event.key === " " || event.key === "Enter") && !event.repeat && press()}
      onKeyUp={release}
      onBlur={release}
      onClick={() => {
        if (!pressed.current) void confirm({ title: question, action: "Yes" }).then((yes) => yes && onHold());
        pressed.current = false;
      }}
    >
      <span
        aria-hidden
        className="absolute inset-0 origin-left bg-current opacity-25"
        style={
          {
            transform: `scaleX(${held ? 1 : 0})`,
            transition: held ? `transform ${holdMs}ms linear` : "transform 120ms",
          } satisfies CSSProperties
        }
      />
      <span className="relative inline-flex items-center gap-2">{children}</span>
    </button>
  );
}
