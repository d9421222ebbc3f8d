/**
 * Owns dragging offerings within and across categories, by mouse, by touch and by keyboard, with words for those who
 * hear it. Loaded after the list is there, since the list is of use without it.
 */
import { Accessibility, StyleInjector } from "@dnd-kit/dom";
import { move } from "@dnd-kit/helpers";
import { type DragDropEventHandlers, DragDropProvider, useDragDropManager, useDroppable } from "@dnd-kit/react";
import { isSortable, useSortable } from "@dnd-kit/react/sortable";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OfferingView } from "../../core";
import { GroupSection, type GroupsProps } from "./OfferingGroups";
import type { DragHandle } from "./OfferingRow";
import { inOrder, isSameOrder, type Order, orderOf } from "./order";
import "./sorting.css";

const TYPE = "offering";

/** `CollisionPriority.Low`: where a row and its category both lie under the finger, the row counts. */
const BELOW_ROWS = 1;

interface SortableGroupsProps extends GroupsProps {
  renderRow: (offering: OfferingView, place: number, count: number, drag: DragHandle) => ReactNode;
  /** Resolves when the new order is stored, or was not: then the list is what the replica says. */
  onSort: (order: Order) => Promise<void>;
}

type DragEvent = Parameters<NonNullable<DragDropEventHandlers["onDragOver"]>>[0];

export default function SortableGroups(props: SortableGroupsProps) {
  const { groups, collapsed, onCollapse, editing, renderForm, renderRow, onSort, isTable } = props;
  /** The order under the finger; the replica's while nothing is dragged. */
  const [dragged, setDragged] = useState<Order>();
  // Ahead of what is shown: the library moves rows before they are drawn anew, and is let go of as soon as they are seen.
  const latest = useRef<Order>(undefined);
  const setOrder = (order: Order | undefined) => {
    latest.current = order;
    setDragged(order);
  };
  const shown = dragged ? inOrder(groups, dragged) : groups;

  const end = async (event: Parameters<NonNullable<DragDropEventHandlers["onDragEnd"]>>[0]) => {
    const next = latest.current;
    if (!event.canceled && next && !isSameOrder(next, orderOf(groups))) await onSort(next);
    setOrder(undefined);
  };

  return (
    <DragDropProvider
      plugins={(defaults) => [
        ...defaults.filter((it) => it !== Accessibility),
        Accessibility.configure({ announcements: ANNOUNCEMENTS, screenReaderInstructions: INSTRUCTIONS }),
      ]}
      onDragStart={() => setOrder(orderOf(groups))}
      onDragOver={(event: DragEvent) => setOrder(latest.current && move(latest.current, event))}
      onDragEnd={(event) => void end(event)}
    >
      <OwnStyles />
      {shown.map(({ category, offerings }) => (
        <SortableGroup
          key={category}
          category={category}
          count={offerings.length}
          isCollapsed={collapsed.has(category)}
          onCollapse={() => onCollapse(category)}
          isTable={isTable}
        >
          {offerings.map((it, place) =>
            it.id === editing ? (
              <li key={it.id}>{renderForm(it)}</li>
            ) : (
              <SortableRow key={it.id} offering={it} place={place} count={offerings.length} category={category}>
                {(drag) => renderRow(it, place, offerings.length, drag)}
              </SortableRow>
            ),
          )}
        </SortableGroup>
      ))}
    </DragDropProvider>
  );
}

interface SortableGroupProps {
  category: string;
  count: number;
  isCollapsed: boolean;
  onCollapse: () => void;
  isTable: boolean;
  children: ReactNode;
}

/** A category takes what is dropped on it also where it is empty. */
function SortableGroup(props: SortableGroupProps) {
  const { ref } = useDroppable({
    id: props.category,
    type: "category",
    accept: TYPE,
    collisionPriority: BELOW_ROWS,
  });
  return <GroupSection {...props} listRef={ref} />;
}

interface SortableRowProps {
  offering: OfferingView;
  place: number;
  count: number;
  category: string;
  children: (drag: DragHandle) => ReactNode;
}

function SortableRow({ offering, place, count, category, children }: SortableRowProps) {
  const { ref, handleRef, isDragging } = useSortable({
    id: offering.id,
    index: place,
    group: category,
    type: TYPE,
    accept: TYPE,
    data: { name: offering.name, count },
  });
  return children({ row: ref, handle: handleRef, isDragging });
}

/**
 * The library writes its rules into a style element, which the content security policy does not let it; they are in
 * `sorting.css`, and the part that would try is switched off.
 */
function OwnStyles() {
  const manager = useDragDropManager();
  useEffect(() => manager?.registry.plugins.get(StyleInjector)?.destroy(), [manager]);
  return null;
}

type Operation = DragEvent["operation"];

/** `Dog walk, 2 of 5 in Pet Care`. */
function whereabouts({ source }: Operation): string | undefined {
  if (!source || !isSortable(source)) return undefined;
  const { name, count } = source.data as { name: string; count: number };
  return `${name}, ${source.index + 1} of ${Math.max(count, source.index + 1)} in ${String(source.group)}`;
}

const INSTRUCTIONS = {
  draggable: "Press space to pick up, the arrow keys to move, space to put down, and Escape to put it back.",
};

/**
 * The last announcement: a row that lies over its own place has nothing new to say, and must not talk over 'Picked up'.
 */
let said: string | undefined;

const ANNOUNCEMENTS = {
  dragstart: ({ operation }: { operation: Operation }) => {
    said = whereabouts(operation);
    return said && `Picked up ${said}.`;
  },
  dragover: ({ operation }: { operation: Operation }) => {
    const where = whereabouts(operation);
    if (where === said) return undefined;
    said = where;
    return where;
  },
  dragend: ({ operation, canceled }: { operation: Operation; canceled: boolean }) => {
    const where = whereabouts(operation);
    if (canceled) return "Put back where it was.";
    return where && `Put down ${where}.`;
  },
};
