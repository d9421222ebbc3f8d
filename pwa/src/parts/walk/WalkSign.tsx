/** Owns what a visit shows of the walk that it is on or may begin with: a sign, and the way there. */
import { Footprints } from "lucide-react";
import type { ReactNode } from "react";
import {
  type OpenState,
  servicesOf,
  useKeptWalkOf,
  useOpenState,
  useOpenWalk,
  type WalkRow,
} from "../../data/walks/walks";
import { ButtonLink, Chip } from "../../ui";
import { pressStart } from "./pressed";
import { clock } from "./walkText";

interface Walk {
  row: WalkRow;
  state: OpenState;
}

/** The walk that a service is on. */
export function useWalkOf(serviceId: string): Walk | undefined {
  const row = useOpenWalk();
  const state = useOpenState();
  return row && servicesOf(row).includes(serviceId) ? { row, state } : undefined;
}

const SIGNS: Record<OpenState, (row: WalkRow) => string> = {
  running: (row) => `Walk running since ${clock(row.started_at)}`,
  interrupted: (row) => `Walk of ${clock(row.started_at)} interrupted`,
  ended: () => "Walk not finished",
};

const WAYS: Record<OpenState, string> = {
  running: "Back to the walk",
  interrupted: "Resume the walk",
  ended: "Finish the walk",
};

/** `Walk running since 9:31 AM`. */
export const walkSign = ({ row, state }: Walk): string => SIGNS[state](row);

/** The same as a mark, or nothing. */
export function WalkSign({ serviceId }: { serviceId: string }) {
  const walk = useWalkOf(serviceId);
  if (!walk) return null;
  return (
    <Chip kind="tag" icon={<Footprints aria-hidden />}>
      {walkSign(walk)}
    </Chip>
  );
}

/** The recorded walk of a visit that is not marked done, or nothing. */
export function WalkedSign({ serviceId }: { serviceId: string }) {
  const summary = useKeptWalkOf(serviceId)?.summary;
  if (!summary) return null;
  return (
    <Chip kind="ok" icon={<Footprints aria-hidden />}>
      Walked {clock(summary.started_at)} to {clock(summary.ended_at)}
    </Chip>
  );
}

interface WalkLinkProps {
  serviceId: string;
  kind?: "primary" | "quiet";
  className?: string;
  icon?: ReactNode;
}

/** To the walk that the service is on, or to its start: the press goes along. */
export function WalkLink({ serviceId, ...rest }: WalkLinkProps) {
  const walk = useWalkOf(serviceId);
  if (walk) {
    return (
      <ButtonLink to="/walk" {...rest}>
        {WAYS[walk.state]}
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
      Start walk
    </ButtonLink>
  );
}
