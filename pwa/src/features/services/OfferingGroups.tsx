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
  /** Rows stand under each other's columns, and a form beside them. */
  isTable: boolean;
}

interface GroupSectionProps {
  category: string;
  count: number;
  isCollapsed: boolean;
  onCollapse: () => void;
  isTable: boolean;
  listRef?: Ref<HTMLUListElement>;
  children: ReactNode;
}

export function GroupSection(props: GroupSectionProps) {
  const { category, count, isCollapsed, onCollapse, isTable, listRef, children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className={isTable ? "border-t border-line" : "grid gap-2"}>
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={!isCollapsed}
          onClick={onCollapse}
          className={cx(
            "flex min-h-12 w-full items-center gap-2 text-left text-16 font-bold hover:bg-sunken",
            isTable ? "px-3 -outline-offset-3" : "rounded-large md:-mx-2 md:w-[calc(100%+16px)] md:px-2",
          )}
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
        <ul ref={listRef} aria-labelledby={id} className={cx("@container grid min-h-4", !isTable && "gap-2")}>
          {children}
        </ul>
      )}
    </section>
  );
}
