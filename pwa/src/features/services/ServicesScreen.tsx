/**
 * Owns the services' section: what the sitter has for sale, by category and in the sitter's order (SPEC 2, Services); on a
 * desktop with the chosen service beside the list. The list works while the part that drags is still loading.
 */
import { Info, Plus, Tag } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { useIsDesktop } from "../../browser/device";
import { type Command, limits, type OfferingView } from "../../core";
import { business, save, useReplica, useSyncStatus } from "../../data";
import { useFix } from "../../parts/attention/fix";
import { useToday } from "../../parts/dates";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { offersNewPrices, type PricedBy, PricesDialog } from "../../parts/prices/PricesDialog";
import {
  Banner,
  Button,
  confirm,
  Dialog,
  DialogActions,
  EmptyState,
  ErrorBoundary,
  Form,
  IconButton,
  loadable,
  PageBody,
  PageHeader,
  Select,
  SubmitButton,
  toast,
  useShortcut,
} from "../../ui";
import { useCollapsed } from "./collapsed";
import { OfferingDetail } from "./OfferingDetail";
import { OfferingForm } from "./OfferingForm";
import { GroupSection, type GroupsProps } from "./OfferingGroups";
import { type DragHandle, OfferingRow, OfferingTableHead } from "./OfferingRow";
import { isSameOrder, moveBy, moveTo, type Order, orderOf, reorderCommand } from "./order";

// Asked for with the screen and not by its first paint: the sooner it is there, the less it replaces under a finger.
const SortableGroups = loadable(() => import("./SortableGroups"));
void SortableGroups.preload();

/** The open form: for a new offering, or in the place of a known one. */
type OpenOffering = { kind: "new" } | { kind: "edit"; id: string };

export default function ServicesScreen() {
  const groups = useReplica((phone) => phone.offeringGroups());
  const { fix, leaveFix } = useFix("create_offering", "update_offering");
  const [open, setOpen] = useState<OpenOffering>();
  const [moving, setMoving] = useState<OfferingView>();
  const [priced, setPriced] = useState<PricedBy>();
  const today = useToday();
  const [collapsed, setCollapsed] = useCollapsed();
  const [selected, setSelected] = useState<string>();
  /** The service whose form was left last, and the focus with it. */
  const [left, setLeft] = useState<string>();
  const isBeside = useIsDesktop() && groups.length > 0;
  const categories = groups.map((it) => it.category);
  const order = orderOf(groups);
  const add = () => setOpen({ kind: "new" });
  useShortcut("n", "Add a service", add);

  const editing =
    fix?.command.name === "update_offering" ? fix.command.args.id : open?.kind === "edit" ? open.id : undefined;
  const isAdding = fix?.command.name === "create_offering" || (!fix && open?.kind === "new");
  /** The form is done with; what it has saved is shown. */
  const close = (id?: string) => {
    if (fix) leaveFix();
    setOpen(undefined);
    if (id !== undefined) setSelected(id);
    setLeft(id ?? shown?.id);
  };
  const edit = (id: string) => {
    setSelected(id);
    setOpen({ kind: "edit", id });
  };

  const sort = (next: Order) => reorder(next, order);
  const collapse = (category: string) => {
    const next = new Set(collapsed);
    if (!next.delete(category)) next.add(category);
    setCollapsed(next);
  };

  const offerPrices = async ({ id, name }: OfferingView) => {
    if (await offersNewPrices({ of: "offering", id }, today)) setPriced({ of: "offering", id, name });
  };
  const renderForm = (offering: OfferingView) => (
    <OfferingForm
      key={fix?.id ?? offering.id}
      offering={offering}
      fix={fix}
      onDone={close}
      onNewPrice={() => void offerPrices(offering)}
    />
  );
  const offerings = groups.flatMap((it) => it.offerings);
  // Beside the list there is room that nothing else needs.
  const shown = isBeside ? (offerings.find((it) => it.id === (editing ?? selected)) ?? offerings[0]) : undefined;
  const choose = (id: string) => {
    if (fix) leaveFix();
    setOpen(undefined);
    setLeft(undefined);
    setSelected(id);
  };
  const renderRow = (offering: OfferingView, place: number, count: number, drag?: DragHandle) => (
    <OfferingRow
      key={offering.id}
      offering={offering}
      isFirst={place === 0}
      isLast={place === count - 1}
      drag={drag}
      isChosen={offering.id === shown?.id && !isAdding}
      onChoose={isBeside ? () => choose(offering.id) : undefined}
      actions={{
        onEdit: () => edit(offering.id),
        onToggle: (isActive) => void toggle(offering, isActive),
        onMove: (steps) => void sort(moveBy(order, offering.id, steps)),
        onMoveTo: () => setMoving(offering),
        onDelete: () => void remove(offering),
      }}
    />
  );
  // What is edited is never folded away.
  const isEdited = (category: string) =>
    groups.some((it) => it.category === category && it.offerings.some(({ id }) => id === editing));
  const folded = new Set([...collapsed].filter((it) => !isEdited(it)));
  const shared: GroupsProps = {
    groups,
    collapsed: folded,
    onCollapse: collapse,
    editing: isBeside ? undefined : editing,
    renderForm,
    isTable: isBeside,
  };
  const still = <StillGroups {...shared} renderRow={renderRow} />;
  const newForm = isAdding && <OfferingForm key={fix?.id ?? "new"} offering={undefined} fix={fix} onDone={close} />;
  const list = groups.length > 0 && (
    <>
      <CollapseButtons categories={categories} collapsed={collapsed} onCollapse={setCollapsed} />
      <Table isTable={isBeside}>
        <ErrorBoundary fallback={() => still}>
          <Suspense fallback={still}>
            <SortableGroups {...shared} renderRow={renderRow} onSort={sort} />
          </Suspense>
        </ErrorBoundary>
      </Table>
    </>
  );

  return (
    <>
      <PageHeader title="Services" actions={<AddButtons onAdd={add} />} />
      <PageBody className="grid max-w-220 grid-cols-1 items-start gap-4 xl:max-w-none">
        <Banner kind="info" icon={<Info aria-hidden />}>
          All services, including the default ones, can be edited or deleted.
        </Banner>
        {isBeside ? (
          <div className="grid grid-cols-[minmax(0,1fr)_26rem] items-start gap-5">
            <div className="grid grid-cols-1 gap-4">{list}</div>
            <div className="sticky top-5 -m-1 max-h-[calc(100dvh-11rem)] min-w-0 overflow-y-auto p-1">
              {newForm ||
                (shown &&
                  (shown.id === editing ? (
                    renderForm(shown)
                  ) : (
                    <OfferingDetail
                      key={shown.id}
                      offering={shown}
                      takesFocus={left === shown.id}
                      onEdit={() => edit(shown.id)}
                    />
                  )))}
            </div>
          </div>
        ) : (
          <>
            {newForm}
            {groups.length === 0 && !isAdding ? <Nothing onAdd={add} /> : list}
          </>
        )}
      </PageBody>
      {priced && <PricesDialog by={priced} onClose={() => setPriced(undefined)} />}
      {moving && (
        <CategoryDialog
          offering={moving}
          onClose={() => setMoving(undefined)}
          onPick={async (category) => {
            await sort(moveTo(order, moving.id, category));
            setMoving(undefined);
          }}
        />
      )}
    </>
  );
}

function AddButtons({ onAdd }: { onAdd: () => void }) {
  return (
    <>
      <IconButton kind="round" label="Add New Service" onClick={onAdd} className="md:hidden">
        <Plus />
      </IconButton>
      <Button icon={<Plus aria-hidden className="size-5" />} onClick={onAdd} className="max-md:hidden">
        Add New Service
      </Button>
    </>
  );
}

/** The frame of a table around the categories, where they are one. */
function Table({ isTable, children }: { isTable: boolean; children: ReactNode }) {
  if (!isTable) return children;
  return (
    <div className="rounded-large border border-line bg-card">
      <OfferingTableHead />
      {children}
    </div>
  );
}

interface CollapseButtonsProps {
  categories: readonly string[];
  collapsed: ReadonlySet<string>;
  onCollapse: (categories: readonly string[]) => void;
}

function CollapseButtons({ categories, collapsed, onCollapse }: CollapseButtonsProps) {
  return (
    <div className="-my-2 flex flex-wrap justify-end gap-1">
      <Button kind="plain" onClick={() => onCollapse([])} disabled={!categories.some((it) => collapsed.has(it))}>
        Expand All
      </Button>
      <Button
        kind="plain"
        onClick={() => onCollapse(categories)}
        disabled={categories.every((it) => collapsed.has(it))}
      >
        Collapse All
      </Button>
    </div>
  );
}

interface StillGroupsProps extends GroupsProps {
  renderRow: (offering: OfferingView, place: number, count: number) => ReactNode;
}

/** The list while nothing can be dragged yet, or where the network went before that could be loaded. */
function StillGroups(props: StillGroupsProps) {
  const { groups, collapsed, onCollapse, editing, renderForm, renderRow, isTable } = props;
  return groups.map(({ category, offerings }) => (
    <GroupSection
      key={category}
      category={category}
      count={offerings.length}
      isCollapsed={collapsed.has(category)}
      onCollapse={() => onCollapse(category)}
      isTable={isTable}
    >
      {offerings.map((it, place) =>
        it.id === editing ? <li key={it.id}>{renderForm(it)}</li> : renderRow(it, place, offerings.length),
      )}
    </GroupSection>
  ));
}

function Nothing({ onAdd }: { onAdd: () => void }) {
  const hasLoaded = useReplica((phone) => phone.hasLoaded());
  const { online } = useSyncStatus();
  const failure = online ? "Failed to load services." : "Failed to fetch services.";
  if (!hasLoaded) return <LoadingOrFailure label="Loading services" failure={(why) => `${failure} ${why}`} />;
  return (
    <EmptyState
      icon={<Tag aria-hidden />}
      title="No services configured yet"
      action={<Button onClick={onAdd}>Add Your First Service</Button>}
    >
      What you offer and what it costs: walks, visits, a night in the house.
    </EmptyState>
  );
}

interface CategoryDialogProps {
  offering: OfferingView;
  onClose: () => void;
  onPick: (category: string) => Promise<void>;
}

function CategoryDialog({ offering, onClose, onPick }: CategoryDialogProps) {
  const [category, setCategory] = useState(offering.category);
  return (
    <Dialog open size="small" title={`Move ${offering.name}`} onClose={onClose}>
      <Form onSubmit={() => onPick(category)}>
        <Select
          name="category"
          label="Category"
          value={category}
          onChange={setCategory}
          options={limits().offering_categories.map((value) => ({ value, label: value }))}
        />
        <DialogActions className="border-t-0">
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton disabled={category === offering.category}>Move</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

async function reorder(next: Order, order: Order): Promise<void> {
  if (isSameOrder(next, order)) return;
  const refused = await attempt(
    reorderCommand(next, order, limits().offering_categories),
    "Put services in another order",
    "Failed to save new order",
  );
  if (refused !== undefined) toast.error("Failed to reorder services");
}

/** Saves; gives the refusal's words if there is one. What the disk does not take is told with `failure`. */
async function attempt(command: Command, sentence: string, failure: string): Promise<string | undefined> {
  try {
    const result = await save(command, sentence);
    return result.ok ? undefined : result.text;
  } catch {
    toast.error(failure);
    return undefined;
  }
}

async function toggle({ id, name }: OfferingView, is_active: boolean): Promise<void> {
  const sentence = is_active ? `Offer ${name} again` : `Offer ${name} no longer`;
  const failure = "Failed to update service status";
  const refused = await attempt({ name: "update_offering", args: { id, changes: { is_active } } }, sentence, failure);
  if (refused !== undefined) toast.error(`${failure}. ${refused}`);
}

/** SPEC 4: one with bookings is deactivated; whether it has any is the core's to know. */
async function remove({ id, name }: OfferingView): Promise<void> {
  const question = {
    title: `Delete ${name}?`,
    text: "It is removed for good. One that was booked or asked for before is deactivated instead.",
    action: "Delete",
    danger: true,
  };
  if (!(await confirm(question))) return;
  const failure = "Failed to delete service";
  try {
    const result = await save({ name: "delete_offering", args: { id } }, `Delete ${name}`);
    if (!result.ok) toast.error(`${failure}. ${result.text}`);
    else if (await stillThere(id))
      toast.info(`${name} has bookings or requests, so it was deactivated and not deleted.`);
    else toast.success(`${name} deleted`);
  } catch {
    toast.error(failure);
  }
}

async function stillThere(id: string): Promise<boolean> {
  const phone = await business().wholePhone();
  return phone.offerings().some((it) => it.id === id);
}
