/**
 * Owns the history of invoices: what was shared by whom it is for and where it stands, and what is owed in all
 * (SPEC 2, Invoices).
 */
import { ReceiptText } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "wouter";
import { useMinute } from "../../browser/clock";
import { useIsPhone } from "../../browser/device";
import { addressId, type InvoiceCard as Card, type InvoiceHistory as History, type InvoiceFilter } from "../../core";
import { useRead, useReplica } from "../../data";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Button, EmptyState, SearchField, Select } from "../../ui";
import { CreditDialog } from "./CreditDialog";
import { FilterChips } from "./FilterChips";
import { InvoiceCard } from "./InvoiceCard";
import { InvoiceTable } from "./InvoiceTable";
import { PaymentDialog } from "./PaymentDialog";
import { RefundDialog } from "./RefundDialog";

/** A page of the list: more are asked for. */
const PAGE = 30;
/** In the place of a client's id. */
const EVERYBODY = "";

export function InvoiceHistory() {
  const now = useMinute();
  const { state, clientId, search, show } = useFilter();
  const [most, setMost] = useState(PAGE);
  const isPhone = useIsPhone();
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const sought = useDeferredValue(search);
  const history = useRead(
    (phone) => phone.invoiceHistory(state, clientId || undefined, sought, most, now),
    state,
    clientId,
    sought,
    most,
    now,
  );
  const [paying, setPaying] = useState<string>();
  const [crediting, setCrediting] = useState<string>();
  const [refunding, setRefunding] = useState<string>();
  if (!hasLoaded)
    return (
      <LoadingOrFailure
        count={5}
        label="Loading invoices"
        failure={(why) => `Failed to load invoice history: ${why}`}
      />
    );
  const { counts, clients, owed, back, cards, more } = history;
  if (clients.length === 0) return <Nothing />;
  const change = (next: Partial<Filter>) => {
    show(next);
    setMost(PAGE);
  };
  const cardOf = (card: Card) => (
    <InvoiceCard
      key={card.id}
      card={card}
      onPay={() => setPaying(card.id)}
      onCredit={() => setCrediting(card.id)}
      onRefund={() => setRefunding(card.id)}
    />
  );
  return (
    <div className="grid grid-cols-1 gap-3">
      <div>
        <p className="num text-20 font-bold wrap-anywhere">{owed}</p>
        {back.map((it) => (
          <p key={it} className="num wrap-anywhere">
            {it}
          </p>
        ))}
      </div>
      <SearchField
        label="Search invoices"
        placeholder="Number, client, amount or date"
        value={search}
        onChange={(it) => change({ search: it })}
      />
      <FilterChips
        label="Invoices by state"
        value={state}
        onChange={(it) => change({ state: it })}
        options={chips(counts)}
      />
      {clients.length > 1 && (
        <Select
          name="client"
          label="Client"
          value={clientId}
          onChange={(client) => change({ client })}
          options={[
            { value: EVERYBODY, label: "All clients" },
            ...clients.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {cards.length === 0 && (
        <NoneOf
          state={state}
          search={sought.trim()}
          ofClient={clientId !== EVERYBODY}
          onAll={() => change({ state: "all", client: EVERYBODY, search: "" })}
          onSearchAll={() => change({ state: "all" })}
        />
      )}
      {isPhone ? cards.map(cardOf) : cards.length > 0 && <InvoiceTable cards={cards} cardOf={cardOf} />}
      {more > 0 && (
        <Button kind="plain" onClick={() => setMost(most + PAGE)}>
          View {Math.min(PAGE, more)} more
        </Button>
      )}
      {paying && <PaymentDialog id={paying} onClose={() => setPaying(undefined)} />}
      {refunding && <RefundDialog id={refunding} onClose={() => setRefunding(undefined)} />}
      {crediting && <CreditDialog id={crediting} onClose={() => setCrediting(undefined)} />}
    </div>
  );
}

const STATES: readonly { value: InvoiceFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "unpaid", label: "Unpaid" },
  { value: "overdue", label: "Overdue" },
  { value: "paid", label: "Paid" },
  { value: "credited", label: "Credited" },
  { value: "credit", label: "Credit notes" },
  { value: "written_off", label: "Written off" },
  { value: "deleted", label: "Deleted" },
];

/** Builds the filter's chips: a state that no invoice has is not offered. */
const chips = (counts: History["counts"]) =>
  STATES.map((it) => ({ ...it, count: counts[it.value] })).filter((it) => it.value === "all" || it.count > 0);

interface Filter {
  state: InvoiceFilter;
  client: string;
  search: string;
}

/** The address has it, so that a step back finds the list as it was. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const asked = params.get("state");
  const state = STATES.find((it) => it.value === asked)?.value ?? "all";
  const clientId = addressId(params.get("client")) ?? EVERYBODY;
  const search = params.get("search") ?? "";
  const show = (next: Partial<Filter>) => {
    const wanted = { state, client: clientId, search, ...next };
    setParams(
      {
        tab: "history",
        ...(wanted.state !== "all" && { state: wanted.state }),
        ...(wanted.client && { client: wanted.client }),
        ...(wanted.search && { search: wanted.search }),
      },
      { replace: true },
    );
  };
  return { state, clientId, search, show };
}

function Nothing() {
  return (
    <EmptyState icon={<ReceiptText aria-hidden />} title="No invoices yet">
      Choose a client and what is unpaid under Create Invoice. Invoices you share appear here, with what is owed.
    </EmptyState>
  );
}

interface NoneOfProps {
  state: InvoiceFilter;
  search: string;
  /** True if those of one client are asked for. */
  ofClient: boolean;
  onAll: () => void;
  /** Keeps the search. */
  onSearchAll: () => void;
}

function NoneOf({ state, search, ofClient, onAll, onSearchAll }: NoneOfProps) {
  const label = STATES.find((it) => it.value === state)?.label ?? "";
  const title =
    state !== "all" ? `None of these: ${label}` : ofClient ? "No invoices of this client" : "No invoices here";
  const found = state === "all" ? `Nothing found for “${search}”` : `Nothing found for “${search}” under ${label}`;
  return (
    <EmptyState
      icon={<ReceiptText aria-hidden />}
      title={search ? found : title}
      action={
        (state !== "all" || search !== "" || ofClient) && (
          <div className="flex flex-wrap justify-center gap-3">
            {state !== "all" && search !== "" && (
              <Button kind="quiet" onClick={onSearchAll}>
                Search all invoices
              </Button>
            )}
            <Button kind="quiet" onClick={onAll}>
              Show all invoices
            </Button>
          </div>
        )
      }
    />
  );
}
