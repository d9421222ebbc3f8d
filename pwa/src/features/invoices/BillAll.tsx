/**
 * Owns 'Bill all': the clients who have something to bill of a month or of other days, each to be left out or adjusted, and
 * sharing an invoice with each of the others. Each invoice is a change of its own: one that is refused stops no other.
 */
import { ReceiptText, SquarePen } from "lucide-react";
import { useEffect, useState } from "react";
import { useMinute } from "../../browser/clock";
import {
  type BillAll as Bills,
  type ClientBill,
  type DateRange,
  formatDollars,
  newId,
  type ShareInvoice,
} from "../../core";
import {
  business,
  type Draft,
  flushDrafts,
  noConnection,
  save,
  storageTrouble,
  useDraft,
  useRead,
  useReplica,
  useSyncStatus,
} from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import {
  Button,
  ButtonLink,
  Checkbox,
  Chip,
  confirm,
  DateField,
  EmptyState,
  ProgressBar,
  Select,
  Skeleton,
  useBusy,
} from "../../ui";
import { useFromTheTop } from "../../ui/useFromTheTop";
import { AdjustBill, changesKey } from "./AdjustBill";
import { BilledAll, type NotSaved } from "./BilledAll";
import type { InvoiceForm } from "./form";
import { shareCommand } from "./form";

/** Clients that are drawn at first, and as many more at once. */
const PAGE = 30;
/** In the place of a month. */
const OTHER_DAYS = "";

interface BillDraft {
  /** Null for the month that the core proposes. */
  range: DateRange | null;
  left_out: string[];
  adjusted: ShareInvoice[];
  /** Ids of the invoices by the ids of their clients, stored before anything is saved; missing in drafts of before. */
  ids?: Record<string, string>;
  /** Ids of invoices that were saved, until the person has seen what became of them. */
  sent: string[];
  not_saved: NotSaved[];
}

const NEW: BillDraft = { range: null, left_out: [], adjusted: [], sent: [], not_saved: [] };

export function BillAll() {
  const draft = useDraft<BillDraft>("bill-all", NEW);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  if (!hasLoaded)
    return <LoadingOrFailure count={5} label="Loading clients" failure={(why) => `Failed to load clients: ${why}`} />;
  if (!draft.ready) return <Skeleton className="h-110 w-full" />;
  return <Stage draft={draft} />;
}

function Stage({ draft }: { draft: Draft<BillDraft> }) {
  const now = useMinute();
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const { ids = NO_IDS } = draft.value;
  // The app may have been closed after an invoice was saved and before the draft said so.
  const found = useRead((phone) => phone.billedInvoices(Object.values(ids), now).map((it) => it.id), ids, now);
  const sent = [...new Set([...draft.value.sent, ...found])];
  const not_saved = draft.value.not_saved.filter((it) => !sent.includes(it.id));
  const stage = progress ? "progress" : sent.length + not_saved.length > 0 ? "billed" : "choose";
  const box = useFromTheTop(stage);
  const send = async (bills: readonly ClientBill[]) => {
    setProgress({ done: 0, of: bills.length });
    const idOf = ({ client_id, invoice, is_adjusted }: ClientBill) =>
      is_adjusted ? invoice.id : (ids[client_id] ?? newId());
    const toSave = bills.map((bill) => ({ bill, id: idOf(bill) }));
    draft.update(() => ({ ids: Object.fromEntries(toSave.map(({ bill, id }) => [bill.client_id, id])) }));
    await flushDrafts();
    await forgetChanges(bills.map((it) => it.client_id));
    for (const [place, { bill, id }] of toSave.entries()) {
      const { saved, failed } = await share(bill, id);
      draft.update((it) => ({ sent: [...it.sent, ...saved], not_saved: [...it.not_saved, ...failed] }));
      setProgress({ done: place + 1, of: bills.length });
    }
    setProgress(undefined);
  };
  const finish = () => {
    const left = Object.entries(ids).filter(([, id]) => !sent.includes(id));
    void forgetChanges();
    if (left.length === 0) return draft.clear();
    // What was adjusted for those that could not be saved is there for the next attempt.
    const clients = left.map(([client]) => client);
    draft.update(({ adjusted }) => ({
      adjusted: adjusted.filter((it) => clients.includes(it.client_id ?? "")),
      ids: Object.fromEntries(left),
      sent: [],
      not_saved: [],
    }));
  };
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-100 outline-none">
      {progress && (
        <div className="grid gap-2">
          <p role="status" className="num">
            {progress.done} of {progress.of} invoices saved
          </p>
          <ProgressBar label="Saving invoices" value={progress.done} max={progress.of} />
        </div>
      )}
      {stage === "billed" && <BilledAll ids={sent} notSaved={not_saved} onDone={finish} />}
      {stage === "choose" && <Choose draft={draft} onSend={send} />}
    </div>
  );
}

const NO_IDS: Record<string, string> = {};

/** Saves one invoice, and says why where it cannot be. */
async function share(
  { client_id, invoice, total, label }: ClientBill,
  id: string,
): Promise<{ saved: string[]; failed: NotSaved[] }> {
  const notSaved = (why: string) => ({ saved: [], failed: [{ id, client_id, label, why }] });
  try {
    const result = await save(shareCommand({ ...invoice, id }, total), `Share an invoice for ${label}`);
    return result.ok ? { saved: [id], failed: [] } : notSaved(result.fields[0]?.text ?? result.text);
  } catch (error) {
    return notSaved(storageTrouble(error));
  }
}

/** Deletes the drafts of changes that were not used: those for these clients, or all. */
async function forgetChanges(clients?: readonly string[]): Promise<void> {
  const { store } = business();
  try {
    const keys = await store.draftKeys();
    const begins = clients ? clients.map((it) => changesKey(it)) : [changesKey()];
    const old = keys.filter((key) => begins.some((it) => key.startsWith(it)));
    await Promise.all(old.map((key) => store.deleteDraft(key)));
  } catch {
    // They come back with the same days, and the row says so.
  }
}

interface ChooseProps {
  draft: Draft<BillDraft>;
  onSend: (bills: readonly ClientBill[]) => Promise<void>;
}

function Choose({ draft, onSend }: ChooseProps) {
  const now = useMinute();
  const { range, left_out, adjusted } = draft.value;
  const all = useRead((phone) => phone.billAll({ range, left_out, adjusted }, now), range, left_out, adjusted, now);
  const begun = useBegunInvoice();
  const { unreachable } = useSyncStatus();
  const [shown, setShown] = useState(PAGE);
  const [opened, setOpened] = useState<string>();
  const unused = useUnusedChanges(all.range);
  const { busy, run } = useBusy();
  const { clients, chosen, total } = all;
  const bill = clients.find((it) => it.client_id === opened);
  const others = (id: string) => adjusted.filter((it) => it.client_id !== id);
  const pick = ({ client_id, is_chosen }: ClientBill) =>
    draft.set({ left_out: is_chosen ? [...left_out, client_id] : left_out.filter((it) => it !== client_id) });
  const send = async () => {
    const question = {
      title: chosen === 1 ? "Send 1 invoice?" : `Send ${chosen} invoices?`,
      text: [
        `${formatDollars(total)} in all.`,
        unreachable && `${noConnection()}. They are sent once there is a connection.`,
      ]
        .filter(Boolean)
        .join(" "),
      action: "Send all",
    };
    if (await confirm(question)) await onSend(clients.filter((it) => it.is_chosen));
  };
  return (
    <div className="grid grid-cols-1 gap-4 pb-2">
      <ByItself />
      <Days all={all} onChange={(next) => draft.set({ range: next, left_out: [], adjusted: [] })} />
      {clients.length === 0 ? (
        <EmptyState icon={<ReceiptText aria-hidden />} title={`Nothing to bill: ${all.title}`}>
          All that was done in these days is on an invoice or paid.
        </EmptyState>
      ) : (
        <ul aria-label="Clients to bill" className="divide-y divide-line rounded-large border border-line bg-card">
          {clients.slice(0, shown).map((it) => (
            <Row
              key={it.client_id}
              bill={it}
              isBegun={begun === it.client_id}
              hasUnused={unused.clients.includes(it.client_id)}
              onPick={() => pick(it)}
              onOpen={() => setOpened(it.client_id)}
            />
          ))}
        </ul>
      )}
      {clients.length > shown && (
        <Button kind="plain" onClick={() => setShown(shown + PAGE)}>
          View {Math.min(PAGE, clients.length - shown)} more
        </Button>
      )}
      <div className="sticky sideways:static bottom-[calc(72px+var(--status,0px)+env(safe-area-inset-bottom))] z-1 -mx-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-paper px-5 py-3 md:bottom-0 md:-mx-8 md:px-8">
        <p className="num flex-1 basis-24" role="status">
          <span className="block text-14 text-ink-2">{chosen === 1 ? "1 invoice" : `${chosen} invoices`}</span>
          <span className="text-20 font-bold">{formatDollars(total)}</span>
        </p>
        <Button
          className="flex-[2_1_14rem] md:flex-none"
          disabled={chosen === 0}
          busy={busy}
          onClick={() => void run(send)}
        >
          Send all
        </Button>
      </div>
      {bill && (
        <AdjustBill
          bill={bill}
          range={all.range}
          onClose={(hasUnused) => {
            unused.mark(bill.client_id, hasUnused);
            setOpened(undefined);
          }}
          onReset={() => draft.set({ adjusted: others(bill.client_id) })}
          onSave={(invoice) =>
            draft.set({
              adjusted: [...others(bill.client_id), invoice],
              left_out: left_out.filter((it) => it !== bill.client_id),
            })
          }
        />
      )}
    </div>
  );
}

/** Outcome of billing by itself, and the way to its setting. */
function ByItself() {
  const now = useMinute();
  const { setting, done, ids } = useRead((phone) => phone.billedByItself(now), now);
  const [isOpen, setOpen] = useState(false);
  if (setting === "" && done === "") return null;
  return (
    <section aria-label="Billing by itself" className="grid grid-cols-1 gap-2 rounded-large border border-line p-4">
      {done && (
        <p className="num font-bold text-pretty">
          {done} {ids.length === 1 ? "1 invoice was made." : `${ids.length} invoices were made.`}
        </p>
      )}
      {setting && <p className="num text-14 text-ink-2 text-pretty">{setting}</p>}
      <div className="flex flex-wrap gap-2">
        {done && (
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide them" : "See who got what"}
          </Button>
        )}
        <ButtonLink kind="plain" to="/profile#profile-invoicing">
          Change
        </ButtonLink>
      </div>
      {isOpen && <BilledAll ids={ids} notSaved={NONE} onDone={() => setOpen(false)} />}
    </section>
  );
}

const NONE: NotSaved[] = [];

/** Returns the client of an invoice that was begun under Create Invoice and not shared. */
function useBegunInvoice(): string | undefined {
  const [client, setClient] = useState<string>();
  useEffect(() => {
    const { store } = business();
    let isShown = true;
    store
      .getDraft("invoice")
      .then((draft) => {
        const form = draft?.value as InvoiceForm | undefined;
        if (isShown) setClient(form?.client_id);
      })
      // A remark that is missing keeps nobody from billing.
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, []);
  return client;
}

/** Returns the clients with changes for these days that were typed and not used. */
function useUnusedChanges({ first, last }: DateRange) {
  const [clients, setClients] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    const range = { first, last };
    business()
      .store.draftKeys()
      .then((keys) => {
        const names = keys.map((it) => it.split(":"));
        const found = names.flatMap(([, id]) => (id && keys.includes(changesKey(id, range)) ? [id] : []));
        if (isShown) setClients([...new Set(found)]);
      })
      // A remark that is missing keeps nobody from billing.
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [first, last]);
  const mark = (id: string, hasUnused: boolean) =>
    setClients((before) => [...before.filter((it) => it !== id), ...(hasUnused ? [id] : [])]);
  return { clients, mark };
}

interface DaysProps {
  all: Bills;
  onChange: (range: DateRange) => void;
}

function Days({ all: { range, months }, onChange }: DaysProps) {
  const month = months.find((it) => it.range.first === range.first && it.range.last === range.last);
  const [isOther, setOther] = useState(false);
  const value = isOther || !month ? OTHER_DAYS : month.range.first;
  const choose = (first: string) => {
    setOther(first === OTHER_DAYS);
    const chosen = months.find((it) => it.range.first === first);
    if (chosen) onChange(chosen.range);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <Select
        name="month"
        label="Days to bill"
        value={value}
        onChange={choose}
        options={[
          ...months.map((it) => ({ value: it.range.first, label: it.label })),
          { value: OTHER_DAYS, label: "Other days" },
        ]}
      />
      {value === OTHER_DAYS && (
        <div className="flex flex-wrap gap-4 *:min-w-0 *:flex-[1_1_9rem]">
          <DateField
            name="first"
            label="From"
            max={range.last}
            value={range.first}
            onChange={(first) => first && onChange({ ...range, first })}
          />
          <DateField
            name="last"
            label="To"
            min={range.first}
            value={range.last}
            onChange={(last) => last && onChange({ ...range, last })}
          />
        </div>
      )}
    </div>
  );
}

interface RowProps {
  bill: ClientBill;
  isBegun: boolean;
  /** True if changes were typed and not used. */
  hasUnused: boolean;
  onPick: () => void;
  onOpen: () => void;
}

function Row({ bill, isBegun, hasUnused, onPick, onOpen }: RowProps) {
  const { label, what, total, way, in_the_way, problem, is_chosen, is_adjusted, client_id } = bill;
  const isEmpty = what === "" && total === 0;
  const remarks = [
    ...in_the_way,
    ...(isBegun ? ["Begun under Create Invoice"] : []),
    ...(hasUnused ? ["Changes not used"] : []),
  ];
  return (
    <li className="flex flex-wrap items-start justify-end gap-x-2 py-1 pr-2 pl-4">
      <Checkbox
        name={`bill-${client_id}`}
        className="min-w-0 flex-1 basis-[min(100%,14rem)]"
        checked={is_chosen}
        disabled={isEmpty || problem !== null}
        onChange={onPick}
        label={
          <>
            <span className="num flex flex-wrap justify-between gap-x-3">
              <bdi className="min-w-0 font-medium wrap-anywhere">{label}</bdi>
              {!isEmpty && <span className="ml-auto">{formatDollars(total)}</span>}
            </span>
            {!isEmpty && (
              <span className="num block text-14 text-ink-2">
                {what}
                {is_adjusted && ", changed by you"}
              </span>
            )}
            {!isEmpty && <span className="block text-14 text-ink-2">{way}</span>}
            {remarks.length > 0 && (
              <span className="flex flex-wrap gap-1 pt-1">
                {remarks.map((it) => (
                  <Chip key={it} kind="tag">
                    {it}
                  </Chip>
                ))}
              </span>
            )}
            {problem && <span className="block text-14 text-danger">{problem}</span>}
          </>
        }
      />
      <Button
        kind="plain"
        aria-label={`Change the invoice for ${label}`}
        icon={<SquarePen aria-hidden className="size-5" />}
        className="shrink-0"
        onClick={onOpen}
      >
        <span className="max-md:sr-only">Change</span>
      </Button>
    </li>
  );
}
