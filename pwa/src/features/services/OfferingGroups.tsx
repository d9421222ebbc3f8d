/** Owns the categories with their offerings, each foldable; rows come from whoever can or cannot have them dragged. */
import { ChevronDown } from "lucide-react";
import { type ReactNode, type Ref, useId } from "react";
import type { OfferingGroup, OfferingView } from "../../core";
import { cx } from "../../ui";

/** Properties of a list of categories, dragged or lying still. */
export interface GroupsProps {
  groups: readonly OfferingGroup[];
  collapsed: ReadonlySet<string>;
  onCollapse: (category: string) => void;
  /** A row that stays where it is while it is edited. */
  editing: string | undefined;
  renderForm: (offering: OfferingView) => ReactNode;
}

interface GroupSectionProps {
  category: string;
  count: number;
  isCollapsed: boolean;
  onCollapse: () => void;
  listRef?: Ref<HTMLUListElement>;
  children: ReactNode;
}

export function GroupSection({ category, count, isCollapsed, onCollapse, listRef, children }: GroupSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={!isCollapsed}
          onClick={onCollapse}
          className="flex min-h-12 w-full items-center gap-2 rounded-large text-left text-16 font-bold hover:bg-sunken md:-mx-2 md:w-[calc(100%+16px)] md:px-2"
        >
          <ChevronDown
            aria-hidden
            className={cx("size-5 text-ink-2 transition-transform", isCollapsed && "-rotate-90")}
          />
          {category}
          <span className="num rounded-full bg-sunken px-2 text-12 leading-5 font-medium text-ink-2">{count}</span>
        </button>
      </h2>
      {!isCollapsed && (
        <ul ref={listRef} aria-labelledby={id} className="@container grid min-h-4 gap-2">
          {children}
        </ul>
      )}
    </section>
  );
}
