/**
 * Owns putting a visit elsewhere in the calendar: the change itself, the way back from it, and the way to the form where
 * something is in the way. What may be where, the core says.
 */
import {
  formatDate,
  formatDateHeading,
  formatDollars,
  formatDuration,
  formatTime,
  formatTimeRange,
  type Service,
  type ServiceView,
  type UpdateService,
} from "../../core";
import { business, canSendNow, save } from "../../data";
import { dogNames } from "../../parts/visit/visitText";
import { toast } from "../../ui";
import type { Prefill } from "./scheduleState";

/** The time that a visit is put to: date, start as `09:30`, and minutes. */
export type Timing = Pick<Service, "date" | "start_time" | "duration_minutes">;

/** Screens to which the person can go from a conflict. */
interface Ways {
  /** The visit's form with that timing in it. */
  openForm: (id: string, prefill: Partial<Prefill>) => void;
  showPlans: () => void;
}

const FAILED = "Failed to update service";

let undo: (() => void) | undefined;

/** Takes the last move back, if there is one. */
export function undoMove(): void {
  undo?.();
}

/** Moves or resizes the visit and says so; resolves when it is shown or turned down. */
export async function moveVisit(view: ServiceView, to: Timing, ways: Ways): Promise<void> {
  const base_rev = business().phone.cursor();
  if (!(await put(view, to, { overlap_ok: false }, ways))) return;
  const phone = await business().wholePhone();
  const told = phone.toldOfVisit(view.client_id, view.end_date ?? view.date, canSendNow(), Date.now());
  const takeAway = toast.success(`${whereItIs(view, to)}. ${told}`, { label: "Undo", onAction: () => takeBack() });
  function takeBack(): void {
    if (undo === takeBack) undo = undefined;
    takeAway();
    void goBack(view, base_rev, ways);
  }
  undo = takeBack;
}

/** Puts the visit back to where it was; its price is told where that is another now, since somebody has changed it. */
async function goBack(view: ServiceView, base_rev: number, ways: Ways): Promise<void> {
  // What overlapped with a person's consent may lie there again.
  const former = { overlap_ok: view.overlap_ok ?? false, former_price: view.pricing_breakdown };
  const isBack = await put(view, view, former, ways, base_rev);
  if (isBack && newPrice(view) !== undefined) toast.info(whereItIs(view, view));
}

async function put(
  view: ServiceView,
  to: Timing,
  how: Pick<UpdateService, "overlap_ok" | "former_price">,
  ways: Ways,
  base_rev?: number,
): Promise<boolean> {
  const now = business().phone.service(view.id) ?? view;
  const changes: Partial<Timing> = {
    ...(to.date !== now.date && { date: to.date }),
    ...(to.start_time !== now.start_time && { start_time: to.start_time }),
    ...(to.duration_minutes !== now.duration_minutes && { duration_minutes: to.duration_minutes }),
  };
  const { date, start_time, duration_minutes } = to;
  const length = formatDuration(duration_minutes);
  const sentence = `Change: ${view.kind} for ${dogNames(view)}, ${length}, ${formatDate(date)}, ${formatTime(start_time)}`;
  try {
    const args = { id: view.id, changes, ...how };
    const result = await save({ name: "update_service", args }, sentence, { base_rev });
    if (result.ok) return true;
    const { refusal, text } = result;
    if (refusal.code === "conflict") {
      const phone = await business().wholePhone();
      const [first] = phone.checkSchedule({ service_id: view.id, service: to }, Date.now()).obstacles;
      const what = first ? ` ${first.text}` : "";
      toast.error(`${text}${what}`, {
        label: "Open form",
        onAction: () => ways.openForm(view.id, changes),
      });
    } else if (refusal.code === "limit_reached") toast.error(text, { label: "See plans", onAction: ways.showPlans });
    else toast.error(text);
  } catch {
    toast.error(FAILED);
  }
  return false;
}

/** The visit's price where it is another than it was. */
function newPrice(view: ServiceView): number | undefined {
  const price = business().phone.service(view.id)?.price;
  return price === view.price ? undefined : price;
}

/** `Rex: Friday, November 20, 11:30 AM - 12:30 PM, now $35.00`. */
function whereItIs(view: ServiceView, to: Timing): string {
  const price = newPrice(view);
  const where = `${formatDateHeading(to.date)}, ${formatTimeRange(to.start_time, to.duration_minutes)}`;
  return `${dogNames(view)}: ${where}${price === undefined ? "" : `, now ${formatDollars(price)}`}`;
}
