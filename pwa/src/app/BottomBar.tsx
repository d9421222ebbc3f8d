/** Owns the phone's navigation, where the thumb is. */
import { Menu } from "lucide-react";
import { memo } from "react";
import { cx } from "../ui";
import { BAR_ITEM, BarItem, type Counts } from "./NavItem";
import { barSections } from "./sections";

export const BottomBar = memo(function BottomBar({ counts, onMore }: { counts: Counts; onMore: () => void }) {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-10 flex gap-1 border-t border-line bg-card px-2 pt-2 pb-[calc(8px+env(safe-area-inset-bottom))] md:hidden print:hidden"
    >
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
