/** Owns the arrows of directions: one for each way that a step of a route can turn. */
import { ArrowUp, CornerUpLeft, CornerUpRight, Flag, type LucideIcon, Navigation, RotateCcw } from "lucide-react";
import type { Maneuver, Modifier } from "../core";

const TURN_ICONS: Record<Modifier, LucideIcon> = {
  uturn: RotateCcw,
  "sharp right": CornerUpRight,
  right: CornerUpRight,
  "slight right": CornerUpRight,
  straight: ArrowUp,
  "slight left": CornerUpLeft,
  left: CornerUpLeft,
  "sharp left": CornerUpLeft,
};

/** Shows the direction of a step. */
export function ManeuverIcon({
  maneuver,
  className,
}: {
  maneuver: Pick<Maneuver, "type" | "modifier">;
  className: string;
}) {
  const Icon =
    maneuver.type === "depart"
      ? Navigation
      : maneuver.type === "arrive"
        ? Flag
        : TURN_ICONS[maneuver.modifier ?? "straight"];
  return <Icon aria-hidden className={className} />;
}
