/** Owns one visit of the day's list: small while it waits its turn, open with all that one needs at the door when it is next. */
import { Check } from "lucide-react";
import { memo } from "react";
import { formatDollars, formatTime, type Visit } from "../../core";
import { useKeptWalkOf } from "../../data/walks/walks";
import { ContactLinks } from "../../parts/contact/ContactLinks";
import { QuickReplies } from "../../parts/contact/QuickReplies";
import { timeOf } from "../../parts/dates";
import { PetFaces } from "../../parts/PetAvatar";
import { CareNotes } from "../../parts/visit/CareNotes";
import { CorrectMenu } from "../../parts/visit/CorrectMenu";
import { SeriesMark } from "../../parts/visit/SeriesSigns";
import { dogNames, lateWord, shownStatus } from "../../parts/visit/visitText";
import { useWalkOf, WalkedSign, WalkLink, WalkSign } from "../../parts/walk/WalkSign";
import { Button, Card, Chip, cx, IconButton, StatusChip, toast, useBusy } from "../../ui";
import { completeAsItStands } from "./finish";
import { PendingMark } from "./PendingMark";
import { MarkSign } from "./several/MarkSign";
import { useSelection } from "./several/selection";
import { useMarking } from "./several/useMarking";

interface VisitCardProps {
  visit: Visit;
  /** The one to do now. */
  next: boolean;
  /** `Fri 20`, where it is of another day than the list. */
  day?: string;
  onOpen: (id: string) => void;
}

/** A day has many, of which a change touches one. */
export const VisitCard = memo(function VisitCard({ visit, next, day, onOpen }: VisitCardProps) {
  const { view, pets, continued } = visit;
  const isOpen = view.status === "scheduled";
  const walk = useWalkOf(view.id);
  const isWalked = useKeptWalkOf(view.id) !== undefined && isOpen;
  const [time, half] = formatTime(view.start_time).split(" ");
  const { isOn: isMarking, marked } = useSelection();
  return (
    <li
      // Where letters are large the time stands above.
      className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-3 @max-[15rem]:grid-cols-1 @max-[15rem]:gap-1"
      data-start={continued ? timeOf(0) : view.start_time}
      data-next={next || undefined}
    >
      <p
        className={cx(
          "num pt-4 text-right leading-tight font-bold @max-[15rem]:pt-0 @max-[15rem]:text-left",
          !isOpen && "text-ink-3",
        )}
      >
        {day && <span className="block pb-1 text-12 font-normal text-ink-2 @max-[15rem]:inline">{day} </span>}
        {time} <span className="block pt-1 text-12 font-normal text-ink-3 @max-[15rem]:inline">{half}</span>
        {view.overnight && <OvernightDot className="mt-1 ml-auto" />}
      </p>
      <Card status={walk ? view.status : shownStatus(view)} next={next} pressable className="grid grid-cols-1 gap-3">
        <div className={cx("flex flex-wrap items-center gap-3", !isOpen && !isMarking && "pr-9")}>
          {isMarking && <MarkSign isMarked={marked.has(view.id)} />}
          <span className={cx(!isOpen && "opacity-70")}>
            <PetFaces pets={pets} names={view.dogs} />
          </span>
          <Names visit={visit} next={next} onOpen={onOpen} />
          {next && <SeriesMark view={view} />}
          {next && <PendingMark id={view.id} />}
          {/* Apart from the row, in which it would stand alone beside two pets. */}
          {!isMarking && (
            <span className="absolute top-1 right-1 z-1 empty:hidden">
              <CorrectMenu view={view} />
            </span>
          )}
          {!next && !isMarking && (visit.can_complete || isWalked) && !walk && <CompleteButton visit={visit} small />}
        </div>
        {next && !isMarking && <NextActions visit={visit} />}
        {walk && !next && (
          <div className="relative z-1 flex flex-wrap items-center gap-2">
            <WalkSign serviceId={view.id} />
            <WalkLink serviceId={view.id} starts={visit.starts ?? "walk"} className="min-w-fit flex-1" />
          </div>
        )}
      </Card>
    </li>
  );
});

function Names({ visit, next, onOpen }: VisitCardProps) {
  const { view, client, continued } = visit;
  const late = useLateWord(visit);
  const isOpen = view.status === "scheduled";
  const { handlers } = useMarking(view.id, onOpen);
  return (
    <div className="min-w-0 flex-1 basis-32">
      <h2 className={cx("font-bold", next ? "text-20" : "text-16", !isOpen && "text-ink-2")}>
        <button
          type="button"
          {...handlers}
          className={cx(
            "stretched text-left select-none [-webkit-touch-callout:none] wrap-anywhere outline-none after:absolute after:inset-0",
            view.status === "cancelled" && "line-through",
          )}
        >
          {dogNames(view)}
        </button>
      </h2>
      <p className="num text-14 text-ink-2 wrap-anywhere">
        <bdi>{view.client_name}</bdi>
        {next && client?.address && (
          <>
            {" · "}
            <bdi>{client.address}</bdi>
          </>
        )}
        {continued && <span className="block">Since yesterday</span>}
      </p>
      {!next && (
        <p className="flex flex-wrap items-center gap-1 pt-1">
          {late && <StatusChip status="overdue">{late}</StatusChip>}
          {isOpen && <WalkedSign serviceId={view.id} />}
          {isOpen && (
            <Chip>
              {view.kind}, {view.length}
            </Chip>
          )}
          {isOpen ? <Chip>{formatDollars(view.price)}</Chip> : <Status visit={visit} />}
          <SeriesMark view={view} />
          <PendingMark id={view.id} />
        </p>
      )}
    </div>
  );
}

/** The way in which a visit is behind its plan; one that is being walked right now has begun. */
function useLateWord({ view }: Visit): string | undefined {
  return useWalkOf(view.id) === undefined ? lateWord(view) : undefined;
}

/** Actions and facts that one needs at the door of the next visit. */
function NextActions({ visit }: { visit: Visit }) {
  const { view, client } = visit;
  const walk = useWalkOf(view.id);
  const isWalked = useKeptWalkOf(view.id) !== undefined;
  const late = useLateWord(visit);
  const hasWalk = (visit.starts !== null && !isWalked) || walk !== undefined;
  const canComplete = (visit.can_complete || isWalked) && !walk;
  const hasBegun = walk !== undefined || isWalked || view.progress?.step === "started";
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {late && (
          <li>
            <StatusChip status="overdue">{late}</StatusChip>
          </li>
        )}
        {isWalked && !walk && (
          <li>
            <WalkedSign serviceId={view.id} />
          </li>
        )}
        <li>
          <Chip>
            {view.kind}, {view.length}
          </Chip>
        </li>
        <li>
          <Chip>{formatDollars(view.price)}</Chip>
        </li>
      </ul>
      {walk && <WalkSign serviceId={view.id} />}
      <DoorNotes visit={visit} />
      <div className="relative z-1 flex flex-wrap gap-2">
        {hasWalk && <WalkLink serviceId={view.id} starts={visit.starts ?? "walk"} className="min-w-fit flex-1" />}
        {canComplete && !hasWalk && <CompleteButton visit={visit} />}
        {/* Beside the strong act, and together: none of them wraps alone. */}
        <span className="flex gap-2 empty:hidden">
          <ContactLinks client={client} ways={["map", "message"]} />
        </span>
        {canComplete && hasWalk && <CompleteButton visit={visit} beside />}
      </div>
      {!hasBegun && <QuickReplies client={client} isLate={late !== undefined} />}
    </>
  );
}

interface CompleteButtonProps {
  visit: Visit;
  small?: boolean;
  /** Another button is the stronger one. */
  beside?: boolean;
}

/** One tap, since it can be undone; who has something to write does it in the details. */
function CompleteButton({ visit: { view }, small, beside }: CompleteButtonProps) {
  const { busy, run } = useBusy();
  const press = () =>
    run(async () => {
      const failed = await completeAsItStands(view);
      if (failed) toast.error(failed);
    });
  if (small) {
    return (
      <span className="relative z-1">
        <IconButton
          label={`Mark ${dogNames(view)} complete`}
          kind="square"
          disabled={busy}
          onClick={() => void press()}
        >
          <Check />
        </IconButton>
      </span>
    );
  }
  return (
    <Button kind={beside ? "quiet" : "primary"} className="min-w-fit flex-1" busy={busy} onClick={() => void press()}>
      Mark Complete
    </Button>
  );
}

function Status({ visit: { view, done_at } }: { visit: Visit }) {
  return <StatusChip status={view.status}>{done_at ? `Done ${done_at}` : undefined}</StatusChip>;
}

/** How to get in and what to mind: the few words that must not be missed. */
export function DoorNotes({ visit, withoutAccess }: { visit: Visit; withoutAccess?: boolean }) {
  const { client, pets, view } = visit;
  return <CareNotes access={withoutAccess ? undefined : client?.access_notes} pets={pets} visits={[view]} />;
}

/** SPEC 4: a yellow dot marks services that start before 6 AM. */
export function OvernightDot({ className }: { className?: string }) {
  return (
    <span
      title="Overnight: starts before 6 AM"
      className={cx("block size-2 shrink-0 rounded-full bg-tag forced-colors:bg-[Highlight]", className)}
    >
      <span className="sr-only">Overnight</span>
    </span>
  );
}
