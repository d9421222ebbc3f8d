/** Owns the services that an invoice can bill, each with its tick (SPEC 2 and 4: what is paid is checked off and disabled). */
import { type BillableService, formatDate, formatDollars, setApart } from "../../core";
import { Button, Checkbox, Chip, FieldGroup } from "../../ui";
import { isTicked, togglesFor } from "./form";

interface BillableListProps {
  services: readonly BillableService[];
  toggled: readonly string[];
  /** Toggles of these days; those of others stay. */
  onToggle: (toggled: string[]) => void;
}

export function BillableList({ services, toggled, onToggle }: BillableListProps) {
  const open = services.filter((it) => it.can_bill);
  const ticked = open.filter((it) => isTicked(it, toggled));
  const isAll = ticked.length === open.length;
  const tickAll = () => {
    const shown = open.map((it) => it.view.id);
    const elsewhere = toggled.filter((id) => !shown.includes(id));
    onToggle([...elsewhere, ...togglesFor(services, isAll ? [] : shown)]);
  };
  const tick = (id: string) => onToggle(toggled.includes(id) ? toggled.filter((it) => it !== id) : [...toggled, id]);
  return (
    <FieldGroup name="services" label="Services">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="num text-14 text-ink-2">
          {ticked.length} of {open.length} to bill
        </p>
        {open.length > 1 && (
          <Button kind="plain" onClick={tickAll}>
            {isAll ? "Untick all" : "Tick all"}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line rounded-large border border-line bg-card">
        {services.map((it) => (
          <li key={it.view.id} className="px-4 py-1">
            <Checkbox
              name={`service-${it.view.id}`}
              label={<Line service={it} />}
              checked={isTicked(it, toggled)}
              disabled={!it.can_bill}
              onChange={() => tick(it.view.id)}
            />
          </li>
        ))}
      </ul>
    </FieldGroup>
  );
}

function Line({ service: { view, remark } }: { service: BillableService }) {
  return (
    <>
      <span className="num flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{formatDate(view.date)}</span>
        {formatDollars(view.price)}
      </span>
      <span className="num block text-14 text-ink-2">{view.formatted_time}</span>
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span dir="auto" className="min-w-0 flex-[1_1_9rem] text-14 text-ink-2 wrap-anywhere">
          {setApart(view.summary)}
        </span>
        {remark && <Chip>{remark}</Chip>}
      </span>
    </>
  );
}
