/** Owns one line of the navigation: icon, name, count, and whether one is there. */
import type { ComponentProps } from "react";
import { Link, useLocation } from "wouter";
import { Badge, cx } from "../ui";
import type { Section } from "./sections";

/** Numbers at the navigation's icons. */
export interface Counts {
  requests: number;
  attention: number;
  overdue: number;
  messages: number;
  clients: number;
  toSend: number;
  toDecide: number;
}

/** The words after each count at a section's icon: of one, and of several. */
const COUNTED: Record<keyof Counts, [one: string, many: string]> = {
  requests: ["pending request", "pending requests"],
  attention: ["change needs attention", "changes need attention"],
  overdue: ["overdue", "overdue"],
  messages: ["unread message", "unread messages"],
  clients: ["with changes from the portal", "with changes from the portal"],
  toSend: ["to send", "to send"],
  toDecide: ["date to decide", "dates to decide"],
};

interface SectionBadgeProps {
  of: readonly (keyof Counts)[];
  counts: Counts;
  className?: string;
}

/** One number at an icon, and in words what it is made of. */
function SectionBadge({ of, counts, className }: SectionBadgeProps) {
  const [first, ...others] = of.filter((it) => counts[it] > 0);
  if (!first) return null;
  const nounOf = (it: keyof Counts) => COUNTED[it][counts[it] === 1 ? 0 : 1];
  const rest = others.map((it) => `${counts[it]} ${nounOf(it)}`);
  const count = [first, ...others].reduce((sum, it) => sum + counts[it], 0);
  const words = others.length === 0 ? nounOf(first) : `in all: ${counts[first]} ${[nounOf(first), ...rest].join(", ")}`;
  return <Badge count={count} label={words} className={className ?? ""} />;
}

type NavLinkProps = Omit<ComponentProps<"a">, "href" | "className"> & {
  to: string;
  className: (isHere: boolean) => string;
};

/** A link that says whether one is there, or somewhere below. */
export function NavLink({ to, className, ...rest }: NavLinkProps) {
  const [path] = useLocation();
  const isHere = path === to || path.startsWith(`${to}/`);
  return <Link to={to} aria-current={isHere ? "page" : undefined} className={className(isHere)} {...rest} />;
}

export function NavItem({ section, counts, iconOnly }: { section: Section; counts: Counts; iconOnly?: boolean }) {
  const { path, label, icon: Icon, badge } = section;
  return (
    <NavLink
      to={path}
      title={iconOnly ? label : undefined}
      className={(isHere) =>
        cx(
          "relative flex h-12 items-center gap-3 rounded-large px-3 font-medium transition-colors",
          isHere ? "bg-sunken font-bold text-ink [&>svg]:stroke-[2.4]" : "text-ink-2 hover:bg-sunken hover:text-ink",
        )
      }
    >
      <Icon aria-hidden className="size-[22px] shrink-0" />
      <span className={cx("min-w-0 flex-1 truncate", iconOnly && "sr-only")}>{label}</span>
      {badge && (
        <SectionBadge of={badge} counts={counts} className={cx(iconOnly && "absolute top-[2px] right-[2px]")} />
      )}
    </NavLink>
  );
}

/** The same at the bottom of a phone. */
export function BarItem({ section, counts }: { section: Section; counts: Counts }) {
  const { path, label, icon: Icon, badge } = section;
  return (
    <NavLink
      to={path}
      className={(isHere) =>
        cx(BAR_ITEM, isHere ? "font-bold text-ink [&>svg]:stroke-[2.4]" : "font-medium text-ink-2")
      }
    >
      <Icon aria-hidden className="size-[22px]" />
      {label}
      {badge && <SectionBadge of={badge} counts={counts} className="absolute top-1 left-[calc(50%+6px)]" />}
    </NavLink>
  );
}

export const BAR_ITEM =
  "relative grid h-14 min-w-0 flex-1 content-center justify-items-center gap-[3px] rounded-large text-[length:min(var(--text-12),3.3vw)] leading-[1.35] -outline-offset-3";
