/**
 * Owns the slot settings: each change is saved by itself, a moment after the last key or as soon as the field is left.
 * What the core turns down stays in its input with the reason, also after the tab was killed.
 */
import { Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { AvailabilityConfig } from "../../core";
import { save, useDraft, useReplica } from "../../data";
import type { Fix } from "../../parts/attention/fix";
import { Form, NumberField, Skeleton, Switch, toast } from "../../ui";

type NumberSetting =
  | keyof { [F in keyof AvailabilityConfig as AvailabilityConfig[F] extends number ? F : never]: F }
  | "series_weeks_ahead";
type FlagSetting = "enable_smart_suggestions" | "prefer_block_scheduling";

const NUMBERS: readonly { field: NumberSetting; label: string; hint: string; unit: string }[] = [
  {
    field: "default_slot_duration_minutes",
    label: "Default slot duration",
    hint: "How long an offered slot is.",
    unit: "min",
  },
  { field: "slot_interval_minutes", label: "Slot interval", hint: "The steps between two starts.", unit: "min" },
  { field: "default_buffer_minutes", label: "Default buffer", hint: "What a new pattern starts with.", unit: "min" },
  {
    field: "show_slots_days_ahead",
    label: "Show slots ahead",
    hint: "How many days of the calendar clients see at once. Each pattern's Max advance sets the last day that they can ask for.",
    unit: "days",
  },
  {
    field: "series_weeks_ahead",
    label: "Book series ahead",
    hint: "How many weeks ahead visits of a series without an end are booked. Later ones are shown as planned.",
    unit: "weeks",
  },
];

const FLAGS: readonly { field: FlagSetting; label: string; hint: string }[] = [
  {
    field: "enable_smart_suggestions",
    label: "Smart suggestions",
    hint: "Free times beside a visit nearby are marked and named first.",
  },
  {
    field: "prefer_block_scheduling",
    label: "Prefer block scheduling",
    hint: "Times beside any other visit are marked, named first, and proposed.",
  },
];

/** Long enough for the next digit of a number, short enough to be at once. */
const SETTLE_MS = 500;
const SHOWN_MS = 4_000;

export function SlotSettings({ fix }: { fix: Fix<"update_availability_config"> | undefined }) {
  const config = useReplica((phone) => phone.availabilityConfig());
  const weeks = useReplica((phone) => phone.seriesWeeksAhead());
  const [saved, setSaved] = useState(0);
  if (!config) return <Skeleton className="h-80 w-full" />;
  const done = () => setSaved((before) => before + 1);
  return (
    <div className="grid max-w-180 gap-4">
      <div className="grid gap-x-3 md:flex md:items-center md:justify-between">
        <h2 className="text-16 font-bold">Time slot configuration</h2>
        <Saved key={saved} count={saved} />
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2">
        {NUMBERS.map((it) => (
          <NumberInput
            key={it.field}
            {...it}
            stored={it.field === "series_weeks_ahead" ? weeks : config[it.field]}
            fix={fix && it.field in fix.command.args.changes ? fix : undefined}
            onSaved={done}
          />
        ))}
      </div>
      <div className="grid border-t border-line pt-3">
        {FLAGS.map(({ field, label, hint }) => (
          <Switch
            key={field}
            name={field}
            label={label}
            hint={hint}
            checked={config[field]}
            onChange={(checked) => {
              void store({ [field]: checked }, label).then((result) => {
                if (result === undefined) done();
                else toast.error(result);
              });
            }}
          />
        ))}
      </div>
    </div>
  );
}

/** Saves one setting; why it was not, if it was not. */
async function store(
  changes: Partial<AvailabilityConfig>,
  label: string,
  options: Parameters<typeof save>[2] = {},
): Promise<string | undefined> {
  try {
    const result = await save(
      { name: "update_availability_config", args: { changes } },
      `Change settings: ${label}`,
      options,
    );
    return result.ok ? undefined : result.text;
  } catch {
    return "Failed to update configuration";
  }
}

/** Steps forward for a moment after each save. */
function Saved({ count }: { count: number }) {
  const [shown, setShown] = useState(count > 0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="flex min-h-6 items-center gap-1 text-14 font-medium text-completed">
      {shown && (
        <>
          <Check aria-hidden className="size-4" />
          Configuration updated successfully
        </>
      )}
    </p>
  );
}

interface NumberInputProps {
  field: NumberSetting;
  label: string;
  hint: string;
  unit: string;
  stored: number;
  fix: Fix<"update_availability_config"> | undefined;
  onSaved: () => void;
}

function NumberInput({ field, label, hint, unit, stored, fix, onSaved }: NumberInputProps) {
  const key = fix ? `setting:${field}:fix:${fix.id}` : `setting:${field}`;
  const asked = fix?.command.args.changes[field];
  const draft = useDraft<{ value: number | null }>(key, { value: asked ?? null });
  const [error, setError] = useState(() =>
    fix?.refusal?.code === "invalid" ? fix.refusal.fields.find((it) => it.field === field)?.text : undefined,
  );
  const isTyped = draft.dirty || asked !== undefined;
  const settling = useRef<{ timer: ReturnType<typeof setTimeout>; commit: () => Promise<void> } | undefined>(undefined);
  const typed = useRef<number | null>(null);

  const commit = async (value: number | null) => {
    clearTimeout(settling.current?.timer);
    settling.current = undefined;
    const problem =
      value === stored && !fix ? undefined : await store({ [field]: value }, label, { draft: key, resolves: fix?.id });
    // Typed on in the meantime: the next save speaks for that.
    if (typed.current !== value) return;
    setError(problem);
    if (problem !== undefined) return;
    draft.clear();
    if (value !== stored || fix) onSaved();
  };

  const change = (value: number | null) => {
    typed.current = value;
    draft.set({ value });
    clearTimeout(settling.current?.timer);
    settling.current = { timer: setTimeout(() => void commit(value), SETTLE_MS), commit: () => commit(value) };
  };
  const settle = () => void settling.current?.commit();

  // What was typed a moment before the screen is left is meant, too.
  useEffect(() => () => void settling.current?.commit(), []);

  // An earlier time's words that were turned down then are told why anew.
  const restored = draft.restored ? draft.value.value : undefined;
  const check = useRef(commit);
  check.current = commit;
  useEffect(() => {
    if (restored === undefined) return;
    typed.current = restored;
    void check.current(restored);
  }, [restored]);

  return (
    <Form onSubmit={settle} onBlur={settle}>
      <NumberField
        name={field}
        label={label}
        hint={hint}
        unit={unit}
        integer
        error={error}
        value={isTyped ? draft.value.value : stored}
        onChange={change}
      />
    </Form>
  );
}
