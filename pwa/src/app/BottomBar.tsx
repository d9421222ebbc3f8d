/** Owns the phone's navigation, where the thumb is. */
import { Menu } from "lucide-react";
import { memo } from "react";
import { cx } from "../ui";
import { BAR_ITEM, BarItem, type Counts } from "./NavItem";
import { StatusStrip } from "./StatusStrip";
import { barSections } from "./sections";

interface BottomBarProps {
  counts: Counts;
  /** The banners are out of sight, so their news stand here. */
  hasStatus: boolean;
  onMore: () => void;
}

export const BottomBar = memo(function BottomBar({ counts, hasStatus, onMore }: BottomBarProps) {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-10 flex flex-wrap gap-1 border-t border-line bg-card px-2 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))] md:hidden print:hidden"
    >
      {hasStatus && <StatusStrip />}
      {barSections.map((section) => (
        <BarItem key={section.path} section={section} counts={counts} />
      ))}
      <button type="button" aria-haspopup="dialog" onClick={onMore} className={cx(BAR_ITEM, "font-medium text-ink-2")}>
        <Menu aria-hidden className="size-[22px]" />
        More
      </button>
    </nav>
  );
});
