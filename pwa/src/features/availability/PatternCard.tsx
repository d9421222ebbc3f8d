/** Owns one pattern in the week: green while it is active, grey while it is not (SPEC 4), and what can be done to it. */
import { Trash2 } from "lucide-react";
import { formatDuration, type Pattern } from "../../core";
import { save, useReplica } from "../../data";
import { WaitingMark } from "../../parts/attention/WaitingMark";
import { hoursOf, SERVICES, weekdays } from "../../parts/availabilityText";
import { Card, Chip, confirm, cx, IconButton, toast } from "../../ui";

interface PatternCardProps {
  pattern: Pattern;
  onEdit: () => void;
}

export function PatternCard({ pattern, onEdit }: PatternCardProps) {
  const { id, is_active, pattern_name, service_types, notes } = pattern;
  const isPending = useReplica((phone) => phone.isPending("availability_pattern", id));
  const hours = hoursOf(pattern);
  const called = pattern_name || `${weekdays()[pattern.day_of_week]} ${hours}`;

  return (
    <Card
      status={is_active ? "completed" : "other"}
      pressable
      aria-label={called}
      className={cx(
        "grid grid-cols-1 content-start gap-2 p-3 pl-4 @min-[880px]:p-2 @min-[880px]:pl-3",
        !is_active && "text-ink-2",
      )}
    >
      <div className="flex items-start gap-1">
        <h3 className="min-w-0 flex-1">
          <button
            type="button"
            aria-label={`Edit ${called}`}
            onClick={onEdit}
            className="stretched num text-left text-16 font-bold @min-[880px]:text-14 @min-[1200px]:text-16 outline-none after:absolute after:inset-0"
          >
            {hours}
          </button>
        </h3>
        {isPending && <WaitingMark />}
      </div>
      {pattern_name && (
        <p className="-mt-2 text-14 font-medium wrap-anywhere">
          <bdi>{pattern_name}</bdi>
        </p>
      )}
      <div className="flex flex-wrap gap-1">
        {SERVICES.filter((it) => service_types.includes(it.value)).map((it) => (
          <Chip key={it.value}>{it.label}</Chip>
        ))}
      </div>
      <dl className="num grid gap-[2px] text-12 text-ink-2 *:flex *:flex-wrap *:justify-between *:gap-x-2">
        <Fact label="Visits at a time" value={String(pattern.max_concurrent_services)} />
        <Fact label="Buffer" value={formatDuration(pattern.buffer_minutes)} />
        <Fact label="Book ahead" value={`${pattern.min_advance_hours} h to ${pattern.max_advance_days} days`} />
        {pattern.priority > 1 && <Fact label="Priority" value={String(pattern.priority)} />}
      </dl>
      {notes && (
        <p dir="auto" className="line-clamp-3 text-12 text-ink-2 wrap-anywhere">
          {notes}
        </p>
      )}
      <div className="relative z-1 -ml-1 flex items-center justify-between">
        <button
          type="button"
          title={is_active ? "Switch off" : "Switch on"}
          onClick={() => void toggle(pattern, called)}
          className={cx(
            "hit inline-flex min-h-8 items-center gap-1 rounded-full px-2 text-12 font-medium transition-colors forced-colors:border",
            is_active ? "bg-completed-soft text-completed" : "bg-other-soft text-other",
          )}
        >
          <span aria-hidden className="size-2 rounded-full bg-current" />
          {is_active ? "Active" : "Inactive"}
          <span className="sr-only">: {called}</span>
        </button>
        <IconButton
          label={`Delete ${called}`}
          onClick={() => void remove(pattern, called)}
          className="hit size-8 text-ink-2"
        >
          <Trash2 />
        </IconButton>
      </div>
    </Card>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}

async function toggle({ id, is_active }: Pattern, called: string): Promise<void> {
  try {
    const result = await save(
      { name: "update_pattern", args: { id, changes: { is_active: !is_active } } },
      is_active ? `Switch off hours: ${called}` : `Switch on hours: ${called}`,
    );
    if (result.ok) toast.success("Pattern status updated");
    else toast.error(result.text);
  } catch {
    toast.error("Failed to update pattern status");
  }
}

async function remove({ id }: Pattern, called: string): Promise<void> {
  const sure = { title: "Are you sure you want to delete this availability pattern?", text: called };
  if (!(await confirm({ ...sure, action: "Delete", danger: true }))) return;
  try {
    const result = await save({ name: "delete_pattern", args: { id } }, `Delete hours: ${called}`);
    if (result.ok) toast.success("Availability pattern deleted successfully");
    else toast.error(result.text);
  } catch {
    toast.error("Failed to delete availability pattern");
  }
}
