/**
 * Owns the form that schedules or changes a service: it holds what was typed, the core says what it costs, what is
 * wrong and what is in the way. What a person touched is saved, and nothing else.
 */
import { CalendarX2, RotateCcw, TriangleAlert } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useMinute } from "../../browser/clock";
import {
  type Bookable,
  type Command,
  type FieldError,
  formatDate,
  formatDollars,
  formatDuration,
  formatTime,
  limits,
  newId,
  type Pet,
  plusDays,
  type ScheduleCheck,
  type Service,
} from "../../core";
import { business, save, useDraft, useRead, useReplica } from "../../data";
import {
  Banner,
  Button,
  ButtonLink,
  Checkbox,
  DateField,
  Dialog,
  DialogActions,
  EmptyState,
  FieldGroup,
  Form,
  leaveDialog,
  MoneyField,
  Segmented,
  Select,
  Skeleton,
  SubmitButton,
  TextArea,
  TextField,
  toast,
  useBusy,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { ClientSelect } from "./ClientSelect";
import { SMALL_BUTTON_EDGE } from "./looks";
import { PetAvatar } from "./PetAvatar";
import type { Prefill } from "./place";

/** What is booked by the client's own rates. */
const PLAIN: { value: Service["service_type"] | typeof OFFERING; label: string }[] = [
  { value: "walk", label: "Walk" },
  { value: "dropin", label: "Drop-in" },
];
const OFFERING = "offering";

/** A day as far after `to` as it was after `from`. */
const moved = (day: string, from: string, to: string): string =>
  plusDays(to, Math.round((Date.parse(day) - Date.parse(from)) / 86_400_000));

const FIELDS = [
  "client_id",
  "dog_ids",
  "service_type",
  "date",
  "start_time",
  "duration_minutes",
  "offering_id",
  "end_date",
  "price_override",
  "notes",
  "internal_notes",
] as const;
type Fields = Pick<Service, Exclude<(typeof FIELDS)[number], "notes" | "internal_notes" | "price_override">> & {
  notes: string;
  internal_notes: string;
  /** Its amount may not be typed yet. */
  price_override: { amount: number | null; reason: string } | null;
};

/** A refused change that is to be set right. */
export interface Fix {
  /** The entry of Needs attention. */
  id: string;
  /** The service that the refused change was to make. */
  makes: string | undefined;
  /** What the person had typed. */
  fields: Partial<Service>;
}

interface ServiceFormProps {
  /** The service to change; none for a new one. */
  id?: string | undefined;
  prefill?: Prefill | undefined;
  fix?: Fix | undefined;
  today: string;
  onClose: () => void;
}

export default function ServiceForm(props: ServiceFormProps) {
  const { id, onClose } = props;
  const service = useReplica((phone) => (id ? phone.service(id) : undefined));
  const hasClients = useReplica((phone) => phone.hasClients());
  const title = id ? "Edit Service" : "Schedule Service";
  return (
    <Dialog open onClose={onClose} title={title} size="large" dismissible={false}>
      {id && !service ? (
        <EmptyState
          icon={<CalendarX2 aria-hidden />}
          title="This service is not here any more"
          action={<Button onClick={onClose}>Close</Button>}
        />
      ) : hasClients ? (
        <Body {...props} service={service} />
      ) : (
        <EmptyState title="Add a client first" action={<ButtonLink to="/clients?form=add">Add a client</ButtonLink>}>
          A service is always for a client and their dogs.
        </EmptyState>
      )}
    </Dialog>
  );
}

function Body({ id, prefill, fix, today, onClose, service }: ServiceFormProps & { service: Service | undefined }) {
  const { constraints, duration_options, start_times } = limits();
  const key = fix ? `service:fix:${fix.id}` : `service:${id ?? "new"}`;
  // The draft holds what was touched and no more: what others change meanwhile shows through everywhere else.
  const draft = useDraft<Partial<Fields>>(key, fix ? given(fix.fields) : {});
  const bookable = useRead((phone) => phone.bookable(service?.offering_id ?? undefined), service?.offering_id);
  const [submitted, setSubmitted] = useState<FieldError[]>();
  const [said, setSaid] = useState<string>();
  const panel = useRef<HTMLDivElement>(null);
  const now = useMinute();
  // A place that was just pointed at in the calendar counts more than words from an earlier time.
  const [pointed, setPointed] = useState<Partial<Fields>>(() => ({
    ...(prefill?.date && { date: prefill.date }),
    ...(prefill?.start_time && { start_time: prefill.start_time }),
    ...(prefill?.duration_minutes && { duration_minutes: prefill.duration_minutes }),
    ...(prefill?.client_id && { client_id: prefill.client_id }),
  }));
  const date = pointed.date ?? draft.value.date ?? service?.date ?? today;
  const [openedAt] = useState(Date.now);
  // Proposed once for a day, so that what comes in meanwhile moves nothing under one's hand.
  const start_time = useMemo(() => business().phone.proposedStart(date, openedAt), [date, openedAt]);

  const base: Fields = {
    client_id: "",
    dog_ids: [],
    service_type: "walk",
    date: today,
    start_time,
    duration_minutes: constraints.defaultWalkDuration,
    offering_id: null,
    end_date: null,
    price_override: null,
    ...service,
    notes: service?.notes ?? "",
    internal_notes: service?.internal_notes ?? "",
  };
  const client_id = pointed.client_id ?? draft.value.client_id ?? base.client_id;
  const client = useRead((phone) => (client_id ? phone.client(client_id) : undefined), client_id);
  // Nobody wants to tick the only dog there is.
  const onlyPet = client?.dogs.length === 1 ? client.dogs[0] : undefined;
  const isOther = client_id !== base.client_id;
  const dog_ids = draft.value.dog_ids ?? (isOther ? (onlyPet ? [onlyPet.id] : []) : base.dog_ids);
  const shown: Fields = { ...base, ...draft.value, ...pointed, client_id, dog_ids };
  const booked = bookable.find((it) => it.id === shown.offering_id);

  const patch: Partial<Fields> = id ? { ...given({ ...draft.value, ...pointed }), ...(isOther && { dog_ids }) } : shown;
  // What was just saved is no obstacle to itself: a form on its way out has been checked for the last time.
  const leaving = useRef<ScheduleCheck>(undefined);
  const check = useReplica(
    // The core says what is wrong with an amount that is not typed yet.
    (phone) =>
      leaving.current ?? phone.checkSchedule({ service_id: id ?? null, service: patch as Partial<Service> }, now),
  );

  // The form's own first proposal is nobody's choice yet: no alarm about that.
  const isPlaced = client_id !== "" || shown.date !== base.date || shown.start_time !== base.start_time;

  const set = (change: Partial<Fields>) => {
    setSaid(undefined);
    const rest = { ...pointed };
    for (const field of Object.keys(change) as (keyof Fields)[]) delete rest[field];
    // What was pointed at is a choice like any other as soon as something else is chosen with it.
    setPointed({});
    draft.set({ ...rest, ...change });
  };
  const choose = (client_id: string) =>
    set({ client_id, ...(client_id !== shown.client_id && { dog_ids: undefined }) });
  const usual = (kind: Fields["service_type"], offering: Bookable | undefined): number =>
    offering?.duration_minutes ??
    (kind === "walk" ? constraints.defaultWalkDuration : constraints.defaultDropinDuration);
  const book = (service_type: Fields["service_type"], offering: Bookable | undefined) => {
    const untouched = shown.duration_minutes === usual(shown.service_type, booked);
    set({
      service_type,
      offering_id: offering?.id ?? null,
      end_date: offering?.is_stay ? (shown.end_date ?? plusDays(shown.date, 1)) : null,
      ...(untouched && !id && { duration_minutes: usual(service_type, offering) }),
    });
  };

  const close = () => {
    toast.success(id ? "Service updated successfully" : "Service scheduled successfully");
    onClose();
    // Also what was typed in the last moment and is not on the disk yet: it was saved with the rest.
    draft.clear();
  };
  const submit = async (overlap_ok: boolean) => {
    if (said !== undefined || check.problem) setSaid(check.problem ?? undefined);
    if (check.problem || (check.conflict && !overlap_ok)) setSubmitted(check.errors);
    if (check.problem) return;
    if (check.conflict && !overlap_ok) {
      panel.current?.focus({ preventScroll: true });
      panel.current?.scrollIntoView({ block: "nearest" });
      return;
    }
    // Without an amount there is a problem, and this is not reached.
    const fields = patch as Partial<Service>;
    const command: Command = id
      ? { name: "update_service", args: { id, changes: fields, overlap_ok } }
      : {
          name: "schedule_service",
          args: { id: fix?.makes ?? newId(), service: fields, overlap_ok, quoted_price: check.price },
        };
    const failed = id ? "Failed to update service" : "Failed to schedule service";
    try {
      const result = await save(command, sentenceOf(id ? "Change" : "Schedule", shown, booked, client?.dogs ?? []), {
        draft: key,
        base_rev: draft.base_rev,
        resolves: fix?.id,
        onShown: () => {
          leaving.current = check;
          leaveDialog(panel.current, close);
        },
      });
      if (!result.ok) {
        setSubmitted(result.fields);
        setSaid(result.text);
        return;
      }
    } catch {
      setSaid(failed);
      toast.error(failed);
      return;
    }
  };

  // After the first try each field says what is wrong with it now; before, nothing.
  const wrong = (field: string) =>
    submitted === undefined ? undefined : (check.errors.find((it) => it.field === field)?.text ?? "");

  if (!draft.ready) return <Skeleton className="h-100 w-full" />;
  return (
    <Form errors={submitted} error={said} onSubmit={() => submit(false)}>
      {draft.restored && <Restored icon={<RotateCcw aria-hidden />} onStartOver={draft.clear} />}
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_minmax(16rem,20rem)]">
        <div className="grid grid-cols-1 content-start gap-4">
          <ClientSelect
            name="client_id"
            label="Client"
            value={shown.client_id}
            onChange={choose}
            error={wrong("client_id")}
          />
          <FieldGroup
            name="dog_ids"
            label="Dogs"
            error={wrong("dog_ids")}
            hint={client ? undefined : "Choose a client to see their dogs."}
          >
            {client && (
              <div className="grid gap-2 md:grid-cols-2">
                {client.dogs.map((pet) => (
                  <DogBox
                    key={pet.id}
                    pet={pet}
                    checked={shown.dog_ids.includes(pet.id)}
                    onChange={(checked) =>
                      set({
                        dog_ids: checked ? [...shown.dog_ids, pet.id] : shown.dog_ids.filter((it) => it !== pet.id),
                      })
                    }
                  />
                ))}
              </div>
            )}
          </FieldGroup>
          <Segmented
            label="Type"
            value={shown.offering_id ? OFFERING : shown.service_type}
            onChange={(it) => (it === OFFERING ? book(shown.service_type, bookable[0]) : book(it, undefined))}
            options={
              bookable.length > 0 || shown.offering_id ? [...PLAIN, { value: OFFERING, label: "Offering" }] : PLAIN
            }
          />
          {shown.offering_id && (
            <Select
              name="offering_id"
              label="Offering"
              value={booked?.id ?? null}
              placeholder="This offering is not here any more"
              onChange={(it) =>
                book(
                  shown.service_type,
                  bookable.find(({ id }) => id === it),
                )
              }
              options={bookable.map((it) => ({ value: it.id, label: it.label }))}
              error={wrong("offering_id")}
            />
          )}
          <div className="grid pair gap-3 md:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_minmax(0,5fr)]">
            <DateField
              className="max-md:col-span-full"
              name="date"
              label={booked?.is_stay ? "First day" : "Date"}
              min={service && service.date < today ? service.date : today}
              value={shown.date}
              onChange={(date) =>
                // A stay that is put off stays as long as it was.
                set({ date, ...(shown.end_date && date && { end_date: moved(shown.end_date, shown.date, date) }) })
              }
              error={wrong("date")}
            />
            <Select
              name="start_time"
              label="Start time"
              value={shown.start_time}
              onChange={(start_time) => set({ start_time })}
              options={withOwn(
                start_times.map((value) => ({ value, label: formatTime(value) })),
                shown.start_time,
                formatTime,
              )}
              error={wrong("start_time")}
            />
            {shown.end_date ? (
              <DateField
                name="end_date"
                label="Last day"
                min={shown.date}
                value={shown.end_date}
                onChange={(end_date) => set({ end_date: end_date || shown.date })}
                error={wrong("end_date")}
              />
            ) : (
              <Select
                name="duration_minutes"
                label="Duration"
                value={shown.duration_minutes}
                onChange={(duration_minutes) => set({ duration_minutes })}
                options={withOwn(
                  duration_options.map((it) => ({ value: it.minutes, label: it.label })),
                  shown.duration_minutes,
                  formatDuration,
                )}
                error={wrong("duration_minutes")}
              />
            )}
          </div>
        </div>
        <div
          ref={panel}
          tabIndex={-1}
          className="grid content-start gap-4 self-start outline-none md:sticky md:top-0 md:col-start-2 md:row-span-2 md:row-start-1"
        >
          <Price
            check={check}
            agreed={shown.price_override}
            onAgree={(price_override) => set({ price_override })}
            wrong={wrong}
          />
          <InTheWay
            check={isPlaced ? check : NOT_PLACED}
            onPick={(start_time) => set({ start_time })}
            onAnyway={() => submit(true)}
          />
        </div>
        <div className="grid grid-cols-1 content-start gap-4">
          <TextArea
            name="notes"
            label="Notes"
            optional
            hint="Visible to the client"
            value={shown.notes}
            onChange={(notes) => set({ notes })}
          />
          <TextArea
            name="internal_notes"
            label="Internal notes"
            optional
            hint="Only you see these"
            value={shown.internal_notes}
            onChange={(internal_notes) => set({ internal_notes })}
          />
        </div>
      </div>
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton className="min-w-fit px-2! md:px-4!">{id ? "Save Changes" : "Schedule Service"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

interface DogBoxProps {
  pet: Pet;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function DogBox({ pet, checked, onChange }: DogBoxProps) {
  return (
    <Checkbox
      name=""
      className="rounded-large border border-line px-3 has-checked:border-act"
      checked={checked}
      onChange={onChange}
      label={
        <span className="flex min-w-0 items-center gap-2">
          <PetAvatar pet={pet} size="small" />
          <span className="min-w-0 wrap-anywhere">
            <bdi className="block font-medium">{pet.name}</bdi>
            {pet.breed && <bdi className="block text-12 text-ink-2">{pet.breed}</bdi>}
          </span>
        </span>
      }
    />
  );
}

interface PriceProps {
  check: ScheduleCheck;
  agreed: Fields["price_override"];
  onAgree: (agreed: Fields["price_override"]) => void;
  wrong: (field: string) => string | undefined;
}

/** What it costs and why, and the way to another price for this one service. */
function Price({ check, agreed, onAgree, wrong }: PriceProps) {
  return (
    <div className="grid gap-4 rounded-large bg-sunken p-4">
      <section aria-label="Price" aria-live="polite" className="grid gap-1">
        <p className="text-14 font-medium text-ink-2">Price</p>
        <p className="num text-28 font-bold">{check.price === null ? "–" : formatDollars(check.price)}</p>
        <p className="num text-14 wrap-anywhere text-ink-2">
          {check.breakdown?.explanation ?? "Choose a client to see the price."}
        </p>
      </section>
      {agreed ? (
        <>
          <MoneyField
            name="price_override.amount"
            label="Price for this service"
            value={agreed.amount}
            onChange={(amount) => onAgree({ ...agreed, amount })}
            error={wrong("price_override.amount") || wrong("price_override")}
          />
          <TextField
            name="price_override.reason"
            label="Reason"
            placeholder="Holiday, as agreed"
            value={agreed.reason}
            onChange={(reason) => onAgree({ ...agreed, reason })}
            error={wrong("price_override.reason")}
          />
          <Button kind="quiet" onClick={() => onAgree(null)}>
            Use the usual price
          </Button>
        </>
      ) : (
        check.price !== null && (
          <Button kind="quiet" onClick={() => onAgree({ amount: check.price, reason: "" })}>
            Set another price
          </Button>
        )
      )}
    </div>
  );
}

const NOT_PLACED = { conflict: null, obstacles: [], warnings: [], free: [] };

interface InTheWayProps {
  check: Pick<ScheduleCheck, "conflict" | "obstacles" | "warnings" | "free">;
  onPick: (start: string) => void;
  onAnyway: () => Promise<void>;
}

/** What overlaps, where there is room instead, and the way to do it all the same. */
function InTheWay({ check, onPick, onAnyway }: InTheWayProps) {
  const { conflict, obstacles, warnings, free } = check;
  const { busy, run } = useBusy();
  if (!conflict && warnings.length === 0) return <div role="status" />;
  return (
    <div role="status" className="grid gap-4">
      {warnings.length > 0 && (
        <Banner icon={<TriangleAlert aria-hidden />}>
          {warnings.map((it) => (
            <p key={it.text} className="num">
              {it.text}, emergencies allowed
            </p>
          ))}
        </Banner>
      )}
      {conflict && (
        <section aria-label="Conflict" className="grid gap-3 rounded-large border border-cancelled p-4">
          <p className="flex gap-2 font-medium text-danger">
            <TriangleAlert aria-hidden className="mt-[2px] size-5 shrink-0" />
            {conflict}
          </p>
          <ul className="grid gap-1 text-14">
            {obstacles.map((it) => (
              <li key={it.text} className="num font-medium">
                {it.text}
              </li>
            ))}
          </ul>
          {free.length > 0 ? (
            <div className="grid gap-2">
              <p className="text-14 text-ink-2">Free on this day</p>
              <div className="grid grid-cols-3 gap-2">
                {free.map((it) => (
                  <button key={it.value} type="button" className={SMALL_BUTTON_EDGE} onClick={() => onPick(it.value)}>
                    {it.label}
                  </button>
                ))}
              </div>
            </div>
          ) : (
            <p className="text-14 text-ink-2">No other start is free on this day.</p>
          )}
          <Button kind="quiet" busy={busy} onClick={() => void run(onAnyway)}>
            Schedule anyway
          </Button>
        </section>
      )}
    </div>
  );
}

/** The options, with the value that is set where it is none of them, as a start before 6 AM. */
function withOwn<V extends string | number>(
  options: { value: V; label: string }[],
  own: V,
  label: (value: V) => string,
): { value: V; label: string }[] {
  if (own === "" || options.some((it) => it.value === own)) return options;
  return [...options, { value: own, label: label(own) }].toSorted((a, b) => (a.value < b.value ? -1 : 1));
}

/** Without what was chosen and then left open again. */
const given = (fields: Partial<Fields | Service>): Partial<Fields> =>
  Object.fromEntries(FIELDS.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]])));

/** `Schedule: Walk for Biscuit & Rex, Nov 20, 2026, 9:30 AM`. */
function sentenceOf(does: string, fields: Fields, booked: Bookable | undefined, pets: readonly Pet[]): string {
  const names = pets.filter((it) => fields.dog_ids.includes(it.id)).map((it) => it.name);
  const kind = booked?.name ?? PLAIN.find((it) => it.value === fields.service_type)?.label;
  return `${does}: ${kind} for ${names.join(" & ")}, ${formatDate(fields.date)}, ${formatTime(fields.start_time)}`;
}
