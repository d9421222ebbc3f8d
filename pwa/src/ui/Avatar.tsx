/** Owns faces: a photo where there is one, else the first letter on a color that stays the same for a name. */
import type { ReactNode } from "react";
import { cx } from "./cx";

const SIZE = {
  small: "size-8 text-12",
  medium: "size-11 text-14",
  large: "size-16 text-20",
  huge: "size-24 text-28",
};

interface AvatarProps {
  /** Whose; also picks the color. */
  name: string;
  /** A URL that can be shown now. */
  src?: string | undefined;
  size?: keyof typeof SIZE;
  className?: string;
}

/** Decorative: the name stands beside it wherever it is used. */
export function Avatar({ name, src, size = "medium", className }: AvatarProps) {
  const shape = cx("shrink-0 rounded-full object-cover", SIZE[size], className);
  if (src) return <img src={src} alt="" className={cx(shape, "bg-sunken")} />;
  return (
    <span
      aria-hidden
      className={cx(shape, "grid place-items-center font-bold text-white select-none")}
      style={{ backgroundColor: `oklch(0.53 0.1 ${hueOf(name)})` }}
    >
      {initialOf(name)}
    </span>
  );
}

/** Faces that overlap, as the pets of one service; more than three are counted. */
export function AvatarStack({ children }: { children: ReactNode[] }) {
  const shown = children.slice(0, children.length > 3 ? 2 : 3);
  const more = children.length - shown.length;
  return (
    <span className="flex shrink-0 *:ring-2 *:ring-card [&>*+*]:-ml-3">
      {shown}
      {more > 0 && (
        <span className="num grid size-11 place-items-center rounded-full bg-sunken text-14 font-bold text-ink-2">
          +{more}
        </span>
      )}
    </span>
  );
}

/** Spread round the wheel by steps that keep neighbors apart. */
function hueOf(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return (hash * 47) % 360;
}

function initialOf(name: string): string {
  const first = name.trim().codePointAt(0);
  return first === undefined ? "?" : String.fromCodePoint(first).toUpperCase();
}
