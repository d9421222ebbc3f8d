/** Owns the list of blocked times: what comes next first, what is over folded away. */
import { CalendarX2, Trash2 } from "lucide-react";
import { type BlockedTimeView, formatNames, limits } from "../../core";
import { save, useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { SERVICES } from "../../parts/availabilityText";
import { Button, Card, Chip, confirm, EmptyState, IconButton, toast } from "../../ui";

export function BlockedTimes({ today, onBlock }: { today: string; onBlock: () => void }) {
  const blocks = useReplica((phone) => phone.blockedTimeList(today));
  const ahead = blocks.filter((it) => it.next_date);
  const over = blocks.filter((it) => !it.next_date);
  const button = (
    <Button kind="quiet" icon={<CalendarX2 aria-hidden className="size-5" />} className="shrink-0" onClick={onBlock}>
      Block Time
    </Button>
  );
  if (blocks.length === 0) {
    return (
      <EmptyState
        icon={<CalendarX2 aria-hidden />}
        title={'No blocked times set. Click "Block Time" to add one.'}
        action={button}
      >
        Nothing is booked in a blocked time: lunch, a day off, a vacation.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-[min(100%,9rem)] text-14 text-ink-2 text-pretty">
          Nothing is booked in these times.
        </p>
        {button}
      </div>
      {ahead.length > 0 && <List blocks={ahead} />}
      {over.length > 0 && (
        <details open={ahead.length === 0}>
          <summary className="inline-flex min-h-12 items-center gap-2 text-14 font-bold">
            Over <span className="num rounded-full bg-sunken px-2 text-12 leading-5 text-ink-2">{over.length}</span>
          </summary>
          <List blocks={over} />
        </details>
      )}
    </div>
  );
}

function List({ blocks }: { blocks: readonly BlockedTimeView[] }) {
  return (
    <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {blocks.map((it) => (
        <li key={it.block.id} className="grid min-w-0">
          <BlockCard view={it} />
        </li>
      ))}
    </ul>
  );
}

function BlockCard({ view }: { view: BlockedTimeView }) {
  const { block, when, hours } = view;
  const { id, reason, blocked_services } = block;
  const isPending = useReplica((phone) => phone.isPending("blocked_time", id));
  const kind = limits().block_types.find((it) => it.value === block.block_type)?.label ?? block.block_type;
  const blocks = SERVICES.filter((it) => blocked_services.includes(it.value));

  const remove = async () => {
    const sure = { title: "Are you sure you want to delete this blocked time?", text: `${when}, ${hours}` };
    if (!(await confirm({ ...sure, action: "Delete", danger: true }))) return;
    try {
      const result = await save({ name: "delete_blocked_time", args: { id } }, `Free blocked time: ${when}, ${hours}`);
      if (result.ok) toast.success("Blocked time deleted successfully");
      else toast.error(result.text);
    } catch {
      toast.error("Failed to delete blocked time");
    }
  };

  return (
    <Card status="other" className="flex flex-wrap items-start justify-end gap-x-2 p-3 pr-1 pl-5">
      <div className="grid min-w-0 flex-1 basis-[min(100%,8rem)] gap-1 py-1">
        <h2 className="text-16 font-bold">
          <time dateTime={view.next_date ?? block.block_date}>{when}</time>
        </h2>
        <p className="num text-ink-2">{hours}</p>
        {reason && (
          <p dir="auto" className="text-14 wrap-anywhere">
            {reason}
          </p>
        )}
        <div className="flex flex-wrap gap-1 pt-1">
          <Chip>{kind}</Chip>
          {blocks.length < SERVICES.length && <Chip>Only {formatNames(blocks.map((it) => it.plural))}</Chip>}
          {block.allows_emergency && <Chip kind="tag">Emergencies allowed</Chip>}
        </div>
      </div>
      {isPending && <WaitingMark />}
      <IconButton label={`Delete ${kind}, ${when}`} onClick={() => void remove()} className="text-ink-2">
        <Trash2 />
      </IconButton>
    </Card>
  );
}
