/** Owns what a visit shows of the walk that it is on or may begin with: a sign, and the way there. */
import { DoorOpen, Footprints } from "lucide-react";
import type { ReactNode } from "react";
import type { ReportKind } from "../../core";
import {
  kindOf,
  type OpenState,
  useBegunWalkOf,
  useKeptWalkOf,
  useOpenState,
  type WalkRow,
} from "../../data/walks/walks";
import { ButtonLink, Chip } from "../../ui";
import { pressStart } from "./pressed";
import { clock, date, length } from "./walkText";

interface Walk {
  row: WalkRow;
  state: OpenState;
}

/** The walk, or the log of a visit, that a service is on. */
export function useWalkOf(serviceId: string): Walk | undefined {
  const row = useBegunWalkOf(serviceId);
  const state = useOpenState();
  return row && { row, state: row.parked ? "running" : state };
}

const SIGNS: Record<OpenState, (row: WalkRow) => string> = {
  running: (row) => `Walk running since ${clock(row.started_at)}`,
  interrupted: (row) => `Walk of ${clock(row.started_at)} interrupted`,
  ended: () => "Walk not finished",
};

/** Nothing of a visit is interrupted by a closed app. */
const VISIT_SIGNS = {
  visit: (row: WalkRow) => `Checked in ${clock(row.started_at)}`,
  day: (row: WalkRow) => `Day of ${date(row.started_at)} begun ${clock(row.started_at)}`,
};

/** `Walk running since 9:31 AM`. */
export function walkSign({ row, state }: Walk): string {
  const kind = kindOf(row);
  if (kind === "walk") return SIGNS[state](row);
  return state === "ended" ? `${kind === "day" ? "Day" : "Visit"} not finished` : VISIT_SIGNS[kind](row);
}

const WAYS: Record<OpenState, string> = {
  running: "Back to the",
  interrupted: "Resume the",
  ended: "Finish the",
};

/** Words of the button that begins each. */
export const STARTS: Record<ReportKind, string> = { walk: "Start walk", visit: "Check in", day: "Check in for today" };

/** The sign of a walk, or of a visit's log. */
export const walkIcon = (row: WalkRow): ReactNode =>
  kindOf(row) === "walk" ? <Footprints aria-hidden /> : <DoorOpen aria-hidden />;

/** The same as a mark, or nothing. */
export function WalkSign({ serviceId }: { serviceId: string }) {
  const walk = useWalkOf(serviceId);
  if (!walk) return null;
  return (
    <Chip kind="tag" icon={walkIcon(walk.row)}>
      {walkSign(walk)}
    </Chip>
  );
}

/** The recorded walk of a visit that is not marked done, or nothing. */
export function WalkedSign({ serviceId }: { serviceId: string }) {
  const row = useKeptWalkOf(serviceId);
  if (!row?.summary) return null;
  return (
    <Chip kind="ok" icon={walkIcon(row)}>
      {recordedText(row, row.summary)}
    </Chip>
  );
}

/** `A walk of 32 min is recorded`. */
function recordedText(row: WalkRow, { started_at, ran_ms }: NonNullable<WalkRow["summary"]>): string {
  const kind = kindOf(row);
  return kind === "day" ? `The day of ${date(started_at)} is recorded` : `A ${kind} of ${length(ran_ms)} is recorded`;
}

interface WalkLinkProps {
  serviceId: string;
  /** The log that begins where none has. */
  starts: ReportKind;
  kind?: "primary" | "quiet";
  className?: string;
  icon?: ReactNode;
}

/** To the walk that the service is on, or to its start: the press goes along. */
export function WalkLink({ serviceId, starts, ...rest }: WalkLinkProps) {
  const walk = useWalkOf(serviceId);
  if (walk) {
    return (
      <ButtonLink to={walk.row.parked ? `/walk?service=${serviceId}` : "/walk"} {...rest}>
        {WAYS[walk.state]} {kindOf(walk.row)}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink
      to={`/walk?service=${serviceId}`}
      onClick={({ button, metaKey, ctrlKey, shiftKey, altKey }) => {
        // With one of these keys it opens elsewhere, where nobody has pressed anything.
        if (button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey) pressStart(serviceId);
      }}
      {...rest}
    >
      {STARTS[starts]}
    </ButtonLink>
  );
}
