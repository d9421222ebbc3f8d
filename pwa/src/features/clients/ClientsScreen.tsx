/** Owns the clients' section: the list with its search, a client's page beside it or in its place, and the form above. */
import { ArrowLeft, FileUp, MoreVertical, PawPrint, Plus, SearchX } from "lucide-react";
import { useCallback, useLayoutEffect, useState } from "react";
import { Link, useLocation, useRoute, useSearchParams } from "wouter";
import { useIsPhone } from "../../browser/device";
import { addressId, type ClientCard, formatNames, type Limited } from "../../core";
import { hasDraft, useHasPulledSince, useRead, useReplica } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { useToday } from "../../parts/dates";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { NotHere } from "../../parts/NotHere";
import { useParentNews } from "../../parts/parentNews";
import { explainLimit } from "../../parts/plan/explainLimit";
import { LimitBanner } from "../../parts/plan/LimitBanner";
import { offersNewPrices, PricesDialog } from "../../parts/prices/PricesDialog";
import { INVITE, inviteAddress } from "../../parts/sharing/inviteAddress";
import {
  Button,
  ButtonLink,
  EmptyState,
  goBack,
  IconButton,
  Menu,
  PageBody,
  PageHeader,
  SearchField,
  Segmented,
  useShortcut,
  useStep,
} from "../../ui";
import { useGradualList } from "../../ui/useGradualList";
import { OpenMessage } from "../messages";
import { ClientDetail } from "./ClientDetail";
import { ClientDialog, NEW_CLIENT } from "./ClientDialog";
import { ClientListCard } from "./ClientListCard";
import { InviteDialog } from "./InviteDialog";
import { removeClient } from "./removeClient";

/** Path of the import of clients from a file. */
const IMPORT = "/clients/import";
const IMPORT_SCHEDULE = "/scheduling/import";

/** Limits of the plan that one more client counts toward. */
const LIMITS: readonly Limited[] = ["clients", "dogs"];
const isAdded = (what: Limited): boolean => LIMITS.includes(what);

export default function ClientsScreen() {
  const id = addressId(useRoute("/clients/:id")[1]?.id);
  const [, navigate] = useLocation();
  const isPhone = useIsPhone();
  // On a phone a client's page takes the place of the list, and begins at its top; the way back is to where the list was.
  const isPage = isPhone && id !== undefined;
  useLayoutEffect(() => {
    if (isPage) window.scrollTo(0, 0);
  }, [isPage]);
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("active");
  const nInactive = useReplica((phone) => phone.inactiveCount());
  // The last one may have been made active again.
  const isInactive = filter === "inactive" && nInactive > 0;
  const found = useRead((phone) => phone.clientList(search, isInactive), search, isInactive);
  const chosen = useReplica((phone) => (id ? phone.client(id) : undefined));
  const isGone = useHasPulledSince(id);
  const { formFor, invitedId, openForm, invite, closeForm } = useForm(id);
  const today = useToday();
  const { fix, leaveFix } = useFix("create_client", "restore_client", "update_client");
  // A client has a dog at least.
  const full = useReplica(
    (phone) => phone.billing(Date.now()).usage.find((it) => isAdded(it.what) && it.status === "at_limit")?.what,
  );
  const add = async () => {
    // What was typed when there was room is not shut away.
    if (full && !(await hasDraft(NEW_CLIENT))) await explainLimit(full, navigate);
    else openForm("add");
  };
  const edit = () => openForm("edit");
  useShortcut("n", "Add a client", () => void add());

  const offerPrices = async (saved: string) => {
    if (await offersNewPrices({ of: "client", id: saved }, today)) navigate(`/clients/${saved}?form=prices`);
  };
  const remove = async (card: ClientCard) => {
    if (await removeClient(card, navigate)) navigate("/clients", { replace: true });
  };
  const detail = (card: ClientCard, hasHeader: boolean) => (
    <ClientDetail
      key={card.client.id}
      card={card}
      hasHeader={hasHeader}
      onEdit={() => (card.client.id === id ? edit() : navigate(`/clients/${card.client.id}?form=edit`))}
      onInvite={() => invite(card.client.id)}
      onPrices={() => (card.client.id === id ? openForm("prices") : navigate(`/clients/${card.client.id}?form=prices`))}
      onDelete={() => void remove(card)}
    />
  );

  // On a desktop something stands beside the list at once: a page half empty invites nobody.
  const shown = chosen ?? (isPhone || id ? undefined : found[0]);
  return (
    <>
      {isPhone && id ? (
        <>
          <PageHeader
            title={chosen?.client.name ?? (isGone ? "Not here" : "Client")}
            sub={
              <Link to="/clients" className="hit inline-flex items-center gap-1 font-medium">
                <ArrowLeft aria-hidden className="size-4" /> All clients
              </Link>
            }
          />
          <PageBody>{chosen ? detail(chosen, true) : <NotHere what="client" isGone={isGone} />}</PageBody>
        </>
      ) : (
        <>
          <ListHeader
            search={search}
            onSearch={setSearch}
            filter={isInactive ? "inactive" : "active"}
            onFilter={setFilter}
            nInactive={nInactive}
            onAdd={() => void add()}
          />
          <PageBody>
            <div className="pb-3 empty:hidden">
              <LimitBanner of={LIMITS} />
            </div>
            <ClientList
              found={found}
              search={search}
              isInactive={isInactive}
              nInactive={nInactive}
              shown={shown}
              onAdd={() => void add()}
              onInvite={invite}
            >
              {shown ? detail(shown, false) : id ? <NotHere what="client" isGone={isGone} /> : null}
            </ClientList>
          </PageBody>
        </>
      )}
      <OpenMessage />
      {fix && (
        <ClientDialog
          key={fix.id}
          id={fix.command.args.id}
          fix={fix}
          onClose={leaveFix}
          onSaved={(saved) => navigate(`/clients/${saved}`, { replace: true })}
        />
      )}
      {invitedId && <InviteDialog clientId={invitedId} onClose={closeForm} />}
      {!fix && (formFor === "add" || (formFor === "edit" && chosen)) && (
        <ClientDialog
          key={formFor === "add" ? "new" : id}
          id={formFor === "add" ? undefined : id}
          fix={undefined}
          onClose={closeForm}
          onSaved={(saved, hasNewRates) => {
            if (formFor === "add") navigate(`/clients/${saved}`, { replace: true });
            else closeForm();
            if (hasNewRates) void offerPrices(saved);
          }}
        />
      )}
      {formFor === "prices" && chosen && (
        <PricesDialog by={{ of: "client", id: chosen.client.id, name: chosen.client.name }} onClose={closeForm} />
      )}
    </>
  );
}

type Filter = "active" | "inactive";

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: "active", label: "Active" },
  { value: "inactive", label: "Inactive" },
];

interface ListHeaderProps {
  search: string;
  onSearch: (it: string) => void;
  filter: Filter;
  onFilter: (it: Filter) => void;
  /** Count of inactive clients. */
  nInactive: number;
  onAdd: () => void;
}

function ListHeader({ search, onSearch, filter, onFilter, nInactive, onAdd }: ListHeaderProps) {
  const count = useRead((phone) => phone.clientList("", false).length);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const [, navigate] = useLocation();
  return (
    <PageHeader
      title="Clients & Pets"
      // Before the first pull nobody knows how many there are.
      sub={
        hasLoaded
          ? `${count === 1 ? "1 client" : `${count} clients`}${nInactive > 0 ? `, ${nInactive} inactive` : ""}`
          : undefined
      }
      actions={
        <>
          <IconButton kind="round" label="Add Client" onClick={onAdd} className="md:hidden">
            <Plus />
          </IconButton>
          <Button icon={<Plus aria-hidden className="size-5" />} onClick={onAdd} className="max-md:hidden">
            Add Client
          </Button>
          <Menu
            label="Clients"
            trigger={(props) => (
              <IconButton label="More for clients" kind="square" {...props}>
                <MoreVertical />
              </IconButton>
            )}
            items={[
              { label: "Import clients", icon: <FileUp />, onSelect: () => navigate(IMPORT) },
              { label: "Import a schedule", icon: <FileUp />, onSelect: () => navigate(IMPORT_SCHEDULE) },
            ]}
          />
        </>
      }
    >
      {count + nInactive > 0 && (
        <div className="grid gap-2 md:max-w-110">
          <SearchField
            label="Search clients"
            placeholder="Name, pet, address or phone"
            value={search}
            onChange={onSearch}
          />
          {nInactive > 0 && <Segmented label="Clients to show" value={filter} onChange={onFilter} options={FILTERS} />}
        </div>
      )}
    </PageHeader>
  );
}

/** So many cards fill the screen, of a desktop, too. */
const SCREENFUL = 16;
/** Height of a card with an address, and the gap below it. */
const CARD_PX = 110;

interface ClientListProps {
  found: readonly ClientCard[];
  search: string;
  isInactive: boolean;
  /** Count of inactive clients. */
  nInactive: number;
  shown: ClientCard | undefined;
  onAdd: () => void;
  onInvite: (clientId: string) => void;
  /** The pane beside the list on a desktop. */
  children: React.ReactNode;
}

function ClientList({ found, search, isInactive, nInactive, shown, onAdd, onInvite, children }: ClientListProps) {
  const isPhone = useIsPhone();
  const news = useParentNews();
  const newsOf = (id: string) =>
    formatNames(news.find((it) => it.client_id === id)?.changes.map((it) => it.what) ?? []);
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const { drawn, restPx } = useGradualList(found, { of: `${isInactive} ${search}`, first: SCREENFUL, itemPx: CARD_PX });
  if (found.length === 0 && search === "" && !hasLoaded)
    return <LoadingOrFailure label="Loading clients" failure={(why) => `Failed to load clients: ${why}`} />;
  const isEmpty = found.length === 0 && search === "";
  if (isEmpty && nInactive === 0) {
    return (
      <EmptyState
        icon={<PawPrint aria-hidden />}
        title="No clients yet"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink kind="quiet" to={IMPORT} icon={<FileUp aria-hidden className="size-5" />}>
              Import from a file
            </ButtonLink>
            <Button onClick={onAdd}>Add your first client</Button>
          </div>
        }
      >
        A client with pets is all it takes to fill the schedule.
      </EmptyState>
    );
  }
  const list =
    found.length > 0 ? (
      <ul aria-label="Clients" className="grid grid-cols-1 content-start gap-3">
        {drawn.map((card) => (
          <li key={card.client.id}>
            <ClientListCard
              card={card}
              isShown={!isPhone && card.client.id === shown?.client.id}
              news={newsOf(card.client.id)}
              onInvite={onInvite}
            />
          </li>
        ))}
        {restPx > 0 && <li aria-hidden style={{ height: restPx }} />}
      </ul>
    ) : isEmpty ? (
      <EmptyState
        icon={<PawPrint aria-hidden />}
        title="No active clients"
        action={<Button onClick={onAdd}>Add Client</Button>}
      >
        All of your clients are inactive.
      </EmptyState>
    ) : (
      <EmptyState icon={<SearchX aria-hidden />} title={`Nobody found for “${search}”`}>
        Names, pets, breeds, addresses and phone numbers are searched.
      </EmptyState>
    );
  if (isPhone) return list;
  return (
    <div className="grid grid-cols-[minmax(280px,380px)_minmax(0,1fr)] items-start gap-5 lg:gap-8">
      {list}
      <div className="sticky top-4 max-h-[calc(100dvh-32px)] overflow-y-auto overscroll-contain rounded-large p-1">
        {children}
      </div>
    </div>
  );
}

/** The form in the address: a killed tab comes back to it, and the phone's back gesture closes it. */
function useForm(id: string | undefined) {
  const [params] = useSearchParams();
  const [path, navigate] = useLocation();
  const step = useStep();
  const form = params.get("form");
  const invitedId = addressId(params.get(INVITE));
  // The cards of the list are drawn again with another one.
  const invite = useCallback(
    (clientId: string) => navigate(inviteAddress(clientId, path), { state: { above: true } }),
    [navigate, path],
  );
  return {
    formFor: form === "add" || ((form === "edit" || form === "prices") && id) ? form : undefined,
    invitedId,
    openForm: (form: "add" | "edit" | "prices") => navigate(`${path}?form=${form}`, { state: { above: true } }),
    invite,
    closeForm: () => (step?.above ? goBack() : navigate(path, { replace: true })),
  };
}
