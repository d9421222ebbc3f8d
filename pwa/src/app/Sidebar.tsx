/** Owns the desktop's navigation: 256 px, or 64 when collapsed (SPEC 2). */
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { cx, IconButton } from "../ui";
import { Logo } from "../ui/Logo";
import { type Counts, NavItem } from "./NavItem";
import { PaletteButton } from "./PaletteHost";
import { StatusStrip } from "./StatusStrip";
import { HOME, menuSections, sectionAt } from "./sections";

/** Here while there is something to send. */
const toSend = sectionAt("/to-send");

export interface SidebarProps {
  counts: Counts;
  /** The banners are out of sight, so their news stand here. */
  hasStatus: boolean;
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
}

export const Sidebar = memo(function Sidebar({ counts, hasStatus, collapsed, onCollapse }: SidebarProps) {
  return (
    <nav
      aria-label="Main"
      className={cx(
        "fixed inset-y-0 left-0 z-10 hidden flex-col border-r border-line bg-card p-2 transition-[width] md:flex print:hidden",
        collapsed ? "w-16" : "w-64",
      )}
    >
      <Link to={HOME} className="flex h-16 items-center gap-3 rounded-large px-[6px]" aria-label="Walkies, schedule">
        <Logo className="size-9 shrink-0" />
        {!collapsed && <span className="text-20 font-bold">Walkies</span>}
      </Link>
      <PaletteButton iconOnly={collapsed} />
      <div className="relative mt-1 grid flex-1 content-start gap-1 overflow-y-auto pt-2">
        {menuSections.map((section) => (
          <NavItem key={section.path} section={section} counts={counts} iconOnly={collapsed} />
        ))}
        {toSend && counts.toSend > 0 && <NavItem section={toSend} counts={counts} iconOnly={collapsed} />}
      </div>
      {hasStatus && !collapsed && <StatusStrip />}
      <IconButton
        label={collapsed ? "Expand sidebar" : "Collapse sidebar"}
        aria-expanded={!collapsed}
        onClick={() => onCollapse(!collapsed)}
        className="text-ink-2"
      >
        {collapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
      </IconButton>
    </nav>
  );
});
