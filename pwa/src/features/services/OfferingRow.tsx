/** Owns one offering in the list: what it is, what it costs, whether it can be booked, and what can be done with it. */
import { ArrowDown, ArrowUp, FolderInput, GripVertical, MoreVertical, Pencil, Trash2 } from "lucide-react";
import type { Ref } from "react";
import type { OfferingView } from "../../core";
import { useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { cx, IconButton, Menu, Switch } from "../../ui";

/** Refs and state of a row that can be dragged; without it the row lies still. */
export interface DragHandle {
  row: Ref<HTMLLIElement>;
  handle: Ref<HTMLButtonElement>;
  isDragging: boolean;
}

export interface RowActions {
  onEdit: () => void;
  onToggle: (isActive: boolean) => void;
  onMove: ((steps: 1 | -1) => void) | undefined;
  onMoveTo: () => void;
  onDelete: () => void;
}

interface OfferingRowProps {
  offering: OfferingView;
  isFirst: boolean;
  isLast: boolean;
  actions: RowActions;
  drag: DragHandle | undefined;
}

export function OfferingRow({ offering, isFirst, isLast, actions, drag }: OfferingRowProps) {
  const { id, name, icon, description, is_active, price_text } = offering;
  const isPending = useReplica((phone) => phone.isPending("offering", id));
  return (
    <li
      ref={drag?.row}
      className={cx(
        "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-2 rounded-large @max-[20rem]:grid-cols-[auto_auto_minmax(0,1fr)] border border-line bg-card py-2 pr-1",
        drag?.isDragging && "border-act shadow-float",
      )}
    >
      <button
        ref={drag?.handle}
        type="button"
        aria-label={`Move ${name}`}
        aria-disabled={!drag || undefined}
        className="hit grid h-12 w-9 cursor-grab touch-none place-items-center rounded-large text-ink-3 hover:bg-sunken [&>svg]:size-5"
      >
        <GripVertical aria-hidden />
      </button>
      <span
        aria-hidden
        className={cx("w-8 text-center text-20 leading-none md:w-9 md:text-28", !is_active && "opacity-50 grayscale")}
      >
        {icon}
      </span>
      <div
        className={cx(
          "min-w-0 py-1 @max-[20rem]:order-last @max-[20rem]:col-span-full @max-[20rem]:px-3",
          !is_active && "text-ink-2",
        )}
      >
        <p className="flex items-center gap-1">
          <span className="font-bold wrap-anywhere">
            <bdi>{name}</bdi>
          </span>
          {isPending && <WaitingMark />}
        </p>
        <p className="num text-14 text-ink-2 wrap-anywhere">
          {price_text}
          {description && (
            <span className="max-md:hidden">
              {" · "}
              <bdi>{description}</bdi>
            </span>
          )}
        </p>
      </div>
      <div className="flex items-center @max-[20rem]:justify-self-end">
        <Switch
          name={`active-${id}`}
          label={
            <>
              <span className="sr-only">{name}: </span>
              <span className="text-14 text-ink-2 max-md:sr-only">{is_active ? "Active" : "Inactive"}</span>
            </>
          }
          checked={is_active}
          onChange={actions.onToggle}
          className="gap-2 md:w-34"
        />
        <RowMenu name={name} isFirst={isFirst} isLast={isLast} actions={actions} />
      </div>
    </li>
  );
}

interface RowMenuProps extends Pick<OfferingRowProps, "isFirst" | "isLast" | "actions"> {
  name: string;
}

function RowMenu({ name, isFirst, isLast, actions }: RowMenuProps) {
  return (
    <Menu
      label={`More for ${name}`}
      trigger={(props) => (
        <IconButton label={`More for ${name}`} {...props}>
          <MoreVertical />
        </IconButton>
      )}
      items={[
        { label: "Edit", icon: <Pencil />, onSelect: actions.onEdit },
        {
          label: "Move up",
          icon: <ArrowUp />,
          disabled: isFirst || !actions.onMove,
          onSelect: () => actions.onMove?.(-1),
        },
        {
          label: "Move down",
          icon: <ArrowDown />,
          disabled: isLast || !actions.onMove,
          onSelect: () => actions.onMove?.(1),
        },
        { label: "Move to category…", icon: <FolderInput />, onSelect: actions.onMoveTo },
        { label: "Delete", icon: <Trash2 />, danger: true, onSelect: actions.onDelete },
      ]}
    />
  );
}
