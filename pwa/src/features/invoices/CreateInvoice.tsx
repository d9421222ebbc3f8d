/** Owns the first tab of the invoices' section: an invoice is put together, looked at and shared (SPEC 2, Invoices). */
import { CalendarX2, ChevronDown, ReceiptText, UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useMinute } from "../../browser/clock";
import { type Billable, formatDollars, newId, type Phone, type Refusal, type UnbilledClient } from "../../core";
import { business, save, storageTrouble, useDraft, useRead, useReplica } from "../../data";
import { type Fix, useFix } from "../../parts/attention/fix";
import { waitingOf } from "../../parts/attention/waiting";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import {
  Banner,
  Button,
  ButtonLink,
  DateField,
  EmptyState,
  ErrorBoundary,
  Form,
  type FormProblem,
  LoadFailure,
  Select,
  Skeleton,
  SubmitButton,
  toast,
} from "../../ui";
import { Restored } from "../../ui/Restored";
import { BillableList } from "./BillableList";
import { choiceOf, chosenOf, forClient, formOf, type InvoiceForm, NEW, shareCommand } from "./form";
import { InvoiceMedia } from "./InvoiceMedia";
import { InvoicePreview } from "./InvoicePreview";
import { MoreFields } from "./MoreFields";
import { awaitLink } from "./news";
import { Sums } from "./Sums";
import { UseCredit } from "./UseCredit";

interface CreateInvoiceProps {
  /** For whom it is asked for, as from a client's page. */
  clientId: string | undefined;
  onShared: (id: string) => void;
}

export function CreateInvoice(props: CreateInvoiceProps) {
  const now = useMinute();
  const today = useReplica((phone) => phone.today(now));
  const clients = useRead((phone) => phone.unbilledClients(now), today);
  const { fix, leaveFix } = useFix("share_invoice");
  const [shared, setShared] = useState(0);
  if (clients.length === 0) return <NoClients />;
  const share = (id: string) => {
    setShared(shared + 1);
    if (fix) leaveFix();
    props.onShared(id);
  };
  return (
    <ErrorBoundary
      fallback={(retry, { message }) => <LoadFailure onRetry={retry}>Failed to load services: {message}</LoadFailure>}
    >
      {/* What was shared is done with: the next invoice is another form. */}
      <Fields
        key={`${shared} ${fix?.id ?? ""}`}
        {...props}
        clients={clients}
        today={today}
        fix={fix}
        onShared={share}
      />
    </ErrorBoundary>
  );
}

interface FieldsProps extends CreateInvoiceProps {
  clients: readonly UnbilledClient[];
  today: string;
  fix: Fix<"share_invoice"> | undefined;
}

function Fields({ clients, today, fix, clientId, onShared }: FieldsProps) {
  const now = useMinute();
  const key = fix ? `invoice:fix:${fix.id}` : "invoice";
  const begun = useRead((phone) => begin(phone, fix, now), fix, now);
  const [first] = useState(begun);
  const draft = useDraft<InvoiceForm>(key, first);
  const form = draft.value;
  const [id] = useState(() => fix?.command.args.id ?? newId());
  // What takes a while ends after others: it is added to what there is then.
  const media = useRef(form.media);
  media.current = form.media;
  const [isPreviewing, setPreviewing] = useState(false);
  const [isMoreOpen, setMoreOpen] = useState(false);
  // A client who was deleted since is nobody's to bill.
  const client = clients.find((it) => it.id === form.client_id);

  const { ready, set } = draft;
  const asked = clients.find((it) => it.id === clientId)?.id;
  const change = (it: string) => {
    const { client_id, start_date, end_date, toggled, media: chosen, photos, videos, serviceTaxes = {} } = form;
    set(forClient(it));
    if (chosen.photos.length + chosen.videos.length + photos.length + videos.length === 0) return;
    const before = { client_id, start_date, end_date, toggled, media: chosen, photos, videos, serviceTaxes };
    toast.info("Photos and videos went with the other client", { label: "Undo", onAction: () => set(before) });
  };
  useEffect(() => {
    if (ready && asked && asked !== form.client_id && !fix) change(asked);
    // Once, when the disk has said what was typed before: another one may be picked after that.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ready, asked]);

  const billable = useRead(
    (phone) => client && phone.billable(client.id, form.start_date || undefined, form.end_date || undefined, now),
    client?.id,
    form.start_date,
    form.end_date,
    today,
  );
  const choice = choiceOf(id, form, billable);
  const check = useReplica((phone) => phone.checkInvoice(choice, now));

  if (!ready) return <Skeleton className="h-110 w-full" />;
  const services = billable?.services ?? [];
  const pick = async (it: string) => set({ ...forClient(it), ...everything(await business().wholePhone(), it, now) });
  const preview = (): FormProblem | undefined => {
    if (check.invoice) {
      setPreviewing(true);
      return undefined;
    }
    // No error is ever folded away.
    if (check.errors.some((it) => it.field !== "services")) setMoreOpen(true);
    return { text: check.problem ?? "", fields: check.errors };
  };
  const share = async (): Promise<FormProblem | undefined> => {
    const command = shareCommand(choice, check.totals.total);
    const before = await waitingOf([...form.photos, ...form.videos]);
    const notShared = (why: string) => ({ text: `Failed to share invoice: ${why}` });
    try {
      const result = await save(command, `Share an invoice for ${client?.label ?? "a client"}`, {
        draft: key,
        resolves: fix?.id,
        photos: [...form.media.photos, ...before.photos],
        videos: [...waitingVideos(form), ...before.videos],
      });
      if (!result.ok) return notShared(result.fields[0]?.text ?? result.text);
    } catch (error) {
      return notShared(storageTrouble(error));
    }
    awaitLink(id);
    draft.clear();
    onShared(id);
    return undefined;
  };

  return (
    <>
      <Form onSubmit={preview} className="pb-2">
        {draft.restored && <Restored onStartOver={draft.clear} />}
        {fix?.refusal?.code === "invoice_changed" && <Changed refusal={fix.refusal} clientId={form.client_id} />}
        <Select
          name="client_id"
          label="Client"
          placeholder="Select a client"
          value={client ? client.id : null}
          onChange={change}
          options={clients.map((it) => ({
            value: it.id,
            label: it.unbilled ? `${it.label}: ${it.unbilled}` : it.label,
          }))}
        />
        {client && billable ? (
          <>
            <Range billable={billable} form={form} onChange={set} />
            {services.length > 0 ? (
              <BillableList services={services} toggled={form.toggled} onToggle={(toggled) => set({ toggled })} />
            ) : (
              <NothingInRange billable={billable} />
            )}
            <UseCredit credit={billable.credit} form={form} onChange={set} />
            <InvoiceMedia
              media={form.media}
              onChange={(change) => {
                media.current = change(media.current);
                set({ media: media.current });
              }}
            />
            <More
              title={check.rates.length > 0 ? "Due date, note, extra lines, tax" : "Due date, note, extra lines"}
              isOpen={isMoreOpen}
              onToggle={setMoreOpen}
            >
              <MoreFields
                form={form}
                today={today}
                dueDate={check.due_date ?? ""}
                rates={check.rates}
                services={chosenOf(services, form.toggled)}
                onChange={set}
              />
            </More>
            {check.rates.length + form.extras.length > 0 && <Sums check={check} extras={choice.extras ?? []} />}
          </>
        ) : (
          <ToBill clients={clients} onPick={(it) => void pick(it)} />
        )}
        <div className="sticky sideways:static bottom-[calc(72px+var(--status,0px)+env(safe-area-inset-bottom))] z-1 -mx-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-paper px-5 py-3 md:bottom-0 md:-mx-8 md:px-8">
          <p className="num flex-1 basis-24" role="status">
            <span className="block text-14 text-ink-2">Total</span>
            <span className="text-20 font-bold">{formatDollars(check.totals.total)}</span>
          </p>
          <SubmitButton className="flex-[2_1_14rem] md:flex-none">Generate Invoice Preview</SubmitButton>
        </div>
      </Form>
      {isPreviewing && <InvoicePreview check={check} onShare={share} onClose={() => setPreviewing(false)} />}
    </>
  );
}

const waitingVideos = ({ media }: InvoiceForm): string[] => media.videos.filter((it) => it.waiting).map((it) => it.id);

/** Returns the form's first state: empty, or the invoice that was turned down. */
function begin(phone: Phone, fix: Fix<"share_invoice"> | undefined, now: number): InvoiceForm {
  const args = fix?.command.args;
  const client = args?.client_id;
  if (!args || !client) return NEW;
  return formOf(args, (first, last) => phone.billable(client, first, last, now));
}

/** The days with all that a client owes. */
function everything(phone: Phone, clientId: string, now: number): Partial<InvoiceForm> {
  const { unpaid } = phone.billable(clientId, undefined, undefined, now);
  return unpaid ? { start_date: unpaid.first, end_date: unpaid.last, toggled: [] } : {};
}

interface RangeProps {
  billable: Billable;
  form: InvoiceForm;
  onChange: (change: Partial<InvoiceForm>) => void;
}

function Range({ billable: { range, unpaid }, form, onChange }: RangeProps) {
  const isAll = unpaid?.first === range.first && unpaid.last === range.last;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap gap-4 *:min-w-0 *:flex-[1_1_9rem]">
        <DateField
          name="start_date"
          label="From"
          max={range.last}
          value={form.start_date || range.first}
          onChange={(start_date) => onChange({ start_date })}
        />
        <DateField
          name="end_date"
          label="To"
          min={range.first}
          value={form.end_date || range.last}
          onChange={(end_date) => onChange({ end_date })}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="quiet" onClick={() => onChange({ start_date: "", end_date: "" })}>
          Last 7 days
        </Button>
        {unpaid && (
          <Button
            kind="quiet"
            disabled={isAll}
            onClick={() => onChange({ start_date: unpaid.first, end_date: unpaid.last, toggled: [] })}
          >
            Everything unpaid
          </Button>
        )}
      </div>
    </div>
  );
}

interface MoreProps {
  title: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

function More({ title, isOpen, onToggle, children }: MoreProps) {
  return (
    <details
      open={isOpen}
      onToggle={(event) => onToggle(event.currentTarget.open)}
      className="group rounded-large border border-line bg-card"
    >
      <summary className="flex min-h-12 list-none items-center gap-2 rounded-large px-4 font-medium">
        <ChevronDown aria-hidden className="size-5 text-ink-2 transition-transform group-open:rotate-180" />
        {title}
      </summary>
      <div className="px-4 pb-4">{children}</div>
    </details>
  );
}

type InvoiceChanged = Extract<Refusal, { code: "invoice_changed" }>;

function Changed({ refusal, clientId }: { refusal: InvoiceChanged; clientId: string }) {
  const { quoted, total, elsewhere } = refusal;
  if (elsewhere) {
    return (
      <Banner
        kind="danger"
        role="status"
        action={<Link to={`/invoices?tab=history&client=${clientId}`}>Show {elsewhere.number || "the invoice"}</Link>}
      >
        It was not shared: {elsewhere.number || "another invoice"} already bills{" "}
        {elsewhere.services === 1 ? "one of these visits" : `${elsewhere.services} of these visits`}.
      </Banner>
    );
  }
  return (
    <Banner kind="danger" role="status">
      It was not shared: you saw {formatDollars(quoted)}, and the services came to {formatDollars(total)} by then. Look
      at it again.
    </Banner>
  );
}

interface ToBillProps {
  clients: readonly UnbilledClient[];
  onPick: (id: string) => void;
}

/** Whoever owes something, to be billed for all of it. */
function ToBill({ clients, onPick }: ToBillProps) {
  const open = clients.filter((it) => it.unbilled || it.overdue);
  if (open.length === 0) {
    return (
      <EmptyState icon={<ReceiptText aria-hidden />} title="Everything is billed">
        You can still choose a client to bill upcoming visits.
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="to-bill" className="grid grid-cols-1 gap-2">
      <h2 id="to-bill" className="text-20 font-bold">
        To bill
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line bg-card">
        {open.map((it) => (
          <li key={it.id}>
            <button
              type="button"
              onClick={() => onPick(it.id)}
              className="flex min-h-12 w-full flex-wrap items-center justify-between gap-x-3 px-4 py-2 text-left -outline-offset-3 hover:bg-sunken"
            >
              <bdi className="min-w-0 font-medium wrap-anywhere">{it.label}</bdi>
              <span className="num grid text-14 text-ink-2">
                {it.unbilled}
                {it.overdue && <span className="text-tag-ink">{it.overdue}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open.some((it) => it.overdue) && (
        <p className="text-14 text-ink-2 text-pretty">
          Visits that are not marked done are not counted yet.{" "}
          <Link
            to="/scheduling?view=list&range=overdue"
            className="hit font-bold text-ink underline underline-offset-2"
          >
            Show overdue visits
          </Link>
        </p>
      )}
    </section>
  );
}

function NothingInRange({ billable: { unpaid } }: { billable: Billable }) {
  return (
    <EmptyState icon={<CalendarX2 aria-hidden />} title="No services in these days">
      {unpaid ? "‘Everything unpaid’ shows what is owed from before." : "Nothing is unbilled from before either."} A fee
      alone can be billed, too: add a line below.
    </EmptyState>
  );
}

function NoClients() {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  if (!hasLoaded)
    return <LoadingOrFailure label="Loading clients" failure={(why) => `Failed to load clients: ${why}`} />;
  return (
    <EmptyState
      icon={<UsersRound aria-hidden />}
      title="No clients yet"
      action={<ButtonLink to="/clients">Add your first client</ButtonLink>}
    >
      What you have done for them is billed here.
    </EmptyState>
  );
}
