/**
 * Owns one offering in the list: what it is, what it costs, whether it can be booked, and what can be done with it. On a
 * desktop it is a row of a table, which is chosen by its name.
 */
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
  /** It is shown beside the list. */
  isChosen: boolean;
  /** Shows it there; absent where nothing stands beside the list. */
  onChoose: (() => void) | undefined;
}

/** Columns of the table: grip, icon, name, price, description where there is room, and whether it is offered. */
const COLUMNS =
  "grid grid-cols-[auto_auto_minmax(0,3fr)_minmax(0,2fr)_auto] items-center gap-x-2 pr-1 " +
  "2xl:grid-cols-[auto_auto_minmax(0,3fr)_minmax(0,2fr)_minmax(0,4fr)_auto]";

/** The names of the columns, for eyes: what stands in a row says by itself what it is. */
export function OfferingTableHead() {
  return (
    <div aria-hidden className={cx(COLUMNS, "min-h-9 text-14 font-medium text-ink-2")}>
      <span className="w-9" />
      <span className="w-9" />
      <span>Service</span>
      <span>Price</span>
      <span className="max-2xl:hidden">Description</span>
      <span className="w-46">Offered</span>
    </div>
  );
}

export function OfferingRow(props: OfferingRowProps) {
  const { offering, isFirst, isLast, actions, drag, isChosen, onChoose } = props;
  const { id, name, icon, is_active } = offering;
  const isPending = useReplica((phone) => phone.isPending("offering", id));
  return (
    <li
      ref={drag?.row}
      className={cx(
        onChoose
          ? cx(COLUMNS, "border-t border-line py-1", isChosen && "bg-sunken")
          : "grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-2 rounded-large @max-[20rem]:grid-cols-[auto_auto_minmax(0,1fr)] border border-line bg-card py-2 pr-1",
        drag?.isDragging && "border-act bg-card shadow-float",
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
      {onChoose ? (
        <Cells offering={offering} isPending={isPending} isChosen={isChosen} onChoose={onChoose} />
      ) : (
        <Lines offering={offering} isPending={isPending} />
      )}
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

interface PartsProps {
  offering: OfferingView;
  isPending: boolean;
}

/** Name, price and description, one under the other. */
function Lines({ offering: { name, description, is_active, price_text }, isPending }: PartsProps) {
  return (
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
  );
}

interface CellsProps extends PartsProps {
  isChosen: boolean;
  onChoose: () => void;
}

/** Name, price and description in the columns of the table. */
function Cells({ offering, isPending, isChosen, onChoose }: CellsProps) {
  const { name, description, is_active, price_text } = offering;
  return (
    <>
      <div className={cx("flex min-w-0 items-center gap-1", !is_active && "text-ink-2")}>
        <button
          type="button"
          aria-current={isChosen || undefined}
          onClick={onChoose}
          className="min-h-12 min-w-0 grow rounded-small px-1 text-left font-bold wrap-anywhere -outline-offset-3 hover:bg-sunken"
        >
          <bdi>{name}</bdi>
        </button>
        {isPending && <WaitingMark />}
      </div>
      <p className="num text-14 text-ink-2 wrap-anywhere">{price_text}</p>
      <p dir="auto" className="line-clamp-2 text-14 text-ink-2 wrap-anywhere max-2xl:hidden">
        {description}
      </p>
    </>
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
