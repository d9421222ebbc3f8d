/**
 * Owns the button that must be held, for what a raindrop or a sleeve must not do; a tap says so.
 * A screen reader's or switch's click, which cannot hold, is asked instead.
 */
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { type ButtonKind } from "./Button";
import { confirm } from "./ConfirmDialog";
import { cx } from "./cx";
import { spendPress } from "./press";

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

/** Longer than any tap, short enough for who is in a hurry. */
const HOLD_MS = 900;
/** How the hand feels that it was long enough. */
const VIBRATION_MS = 40;

/** Text for someone who has tapped the button. */
const HINT = "Hold";
const HINT_MS = 2_500;

export function HoldButton({
  children,
  onHold,
  question,
  kind = "primary",
  holdMs = HOLD_MS,
  className,
  disabled,
}: HoldButtonProps) {
  const { isHeld, isHinted, handlers } = useHold({ disabled, holdMs, question, onHold });

  return (
    <>
      <button
        type="button"
        disabled={disabled}
        className={cx(
          "relative inline-flex min-h-12 touch-none items-center justify-center gap-2 rounded-large px-4",
          "text-16 leading-tight font-bold select-none disabled:opacity-45 forced-colors:border",
          LOOK[kind],
          className,
        )}
        {...handlers}
      >
        <span aria-hidden className="absolute inset-0 overflow-hidden rounded-[inherit]">
          <span
            className="absolute inset-0 origin-left bg-current opacity-25 forced-colors:bg-[Highlight]"
            style={
              {
                transform: `scaleX(${isHeld ? 1 : 0})`,
                transition: isHeld ? `transform ${holdMs}ms linear` : "transform 120ms",
              } satisfies CSSProperties
            }
          />
        </span>
        <span className="relative inline-flex items-center gap-2">{children}</span>
        {isHinted && (
          <span
            aria-hidden
            className="pointer-events-none absolute bottom-full left-1/2 z-1 mb-2 -translate-x-1/2 animate-appear rounded-small bg-ink px-3 py-2 text-14 text-paper shadow-float"
          >
            {HINT}
          </span>
        )}
      </button>
      {/* Beside the button, whose own content is its name and is not read when it changes. */}
      <span aria-live="polite" className="sr-only">
        {isHinted && HINT}
      </span>
    </>
  );
}

type UseHoldProps = Required<Pick<HoldButtonProps, "holdMs" | "question" | "onHold">> & {
  disabled: boolean | undefined;
};

/** Returns the state of the button, held or tapped, and its event handlers. */
function useHold({ disabled, holdMs, question, onHold }: UseHoldProps) {
  const [isHeld, setHeld] = useState(false);
  const [isHinted, setHinted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A click that follows a press of pointer or key is that press's own; only one out of nowhere is asked.
  const pressed = useRef(false);

  const press = () => {
    if (disabled || timer.current) return;
    pressed.current = true;
    setHinted(false);
    setHeld(true);
    timer.current = setTimeout(() => {
      release();
      pressed.current = false;
      spendPress();
      navigator.vibrate?.(VIBRATION_MS);
      onHold();
    }, holdMs);
  };
  const release = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  const releaseEarly = () => {
    if (timer.current) setHinted(true);
    release();
  };
  useEffect(
    () => () => {
      if (!timer.current) return;
      // It has gone from under the finger.
      clearTimeout(timer.current);
      timer.current = undefined;
      spendPress();
    },
    [],
  );
  useEffect(() => {
    if (!isHinted) return undefined;
    const passing = setTimeout(() => setHinted(false), HINT_MS);
    return () => clearTimeout(passing);
  }, [isHinted]);

  const handlers = {
    onPointerDown: (event: PointerEvent) => void (event.button === 0 && press()),
    onPointerUp: releaseEarly,
    onPointerLeave: release,
    onPointerCancel: release,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
    onKeyDown: ({ key, repeat }: KeyboardEvent) => void ((key === " " || key === "Enter") && !repeat && press()),
    onKeyUp: releaseEarly,
    onBlur: release,
    onClick: () => {
      if (!pressed.current) void confirm({ title: question, action: "Yes" }).then((yes) => yes && onHold());
      pressed.current = false;
    },
  };
  return { isHeld, isHinted, handlers };
}
