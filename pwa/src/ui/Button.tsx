/** Owns everything that looks like a button, as a button or as a link: 48 px high, one look per weight of the act. */
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import { cx } from "./cx";
import { Spinner } from "./Spinner";

/** `primary` once per screen; `quiet` for the others; `plain` has no edge; `danger` destroys something. */
export type ButtonKind = "primary" | "quiet" | "plain" | "danger";

const LOOK: Record<ButtonKind, string> = {
  primary: "bg-act text-on-act hover:opacity-90",
  quiet: "bg-card text-ink shadow-[inset_0_0_0_1px_var(--color-line)] hover:bg-sunken",
  plain: "text-ink hover:bg-sunken",
  danger: "bg-danger text-on-danger hover:opacity-90",
};

// With a scale from the beginning, so that pressing it lays nothing out.
const SHAPE =
  "inline-flex min-h-12 items-center justify-center gap-2 rounded-large px-4 py-1 text-16 leading-tight font-bold " +
  "scale-100 transition-[background-color,opacity,scale] active:scale-[.98] disabled:pointer-events-none disabled:opacity-45 " +
  // Where the system gives the colors a button has no ground to be seen by.
  "select-none forced-colors:border";

interface Look {
  kind?: ButtonKind;
  /** Before the words, decorative. */
  icon?: ReactNode;
  /** As wide as there is room. */
  wide?: boolean;
}

export type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** Under way: keeps its size, shows a spinner, takes no second click. */
    busy?: boolean;
  };

export function Button({ kind = "primary", icon, wide, busy, className, children, type, ...rest }: ButtonProps) {
  return (
    <button
      type={type ?? "button"}
      aria-busy={busy || undefined}
      className={cx(SHAPE, LOOK[kind], wide && "w-full", busy && "pointer-events-none", className)}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <Spinner className="-my-1 [&_svg]:size-5" label="Working" /> : icon}
      {children}
    </button>
  );
}

type ButtonLinkProps = Omit<ComponentProps<"a">, "href"> & Look & { to: string; replace?: boolean };

/** Looks like a `Button`, goes somewhere. */
export function ButtonLink({ kind = "primary", icon, wide, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link className={cx(SHAPE, LOOK[kind], wide && "w-full", className)} {...rest}>
      {icon}
      {children}
    </Link>
  );
}

type OutsideLinkProps = Omit<ComponentProps<"a">, "href"> & Look & { href: string };

/** The same for what is no page of the app: another program's, or one that opens beside it. */
export function OutsideLink({ kind = "quiet", icon, wide, className, children, ...rest }: OutsideLinkProps) {
  return (
    <a className={cx(SHAPE, LOOK[kind], wide && "w-full", className)} {...rest}>
      {icon}
      {children}
    </a>
  );
}

export type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  /** Name of the action, for those who do not see the picture. */
  label: string;
  /** `round` has an edge and stands alone, as in a header; `plain` stands among others. */
  kind?: "round" | "plain" | "square";
};

const ICON_LOOK = {
  round: "rounded-full border border-line bg-card hover:bg-sunken",
  plain: "rounded-large hover:bg-sunken",
  square: "rounded-large border border-line bg-card hover:bg-sunken",
};

export function IconButton({ label, kind = "plain", className, type, children, ...rest }: IconButtonProps) {
  return (
    <button
      type={type ?? "button"}
      aria-label={label}
      title={label}
      className={cx(
        "relative grid size-12 shrink-0 place-items-center transition-[background-color,scale] active:scale-95",
        "disabled:pointer-events-none disabled:opacity-45 [&>svg]:size-[22px]",
        ICON_LOOK[kind],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
