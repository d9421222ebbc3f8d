/** Owns what stands in a dialog of the schedule in place of something that this phone does not have. */
import { CalendarX2 } from "lucide-react";
import { NotHere } from "../../parts/NotHere";
import { Button } from "../../ui";

interface NotInScheduleProps {
  /** Noun of what is missing, as in `This series`. */
  what: string;
  /** True if a pull has completed since its address was opened. */
  isGone: boolean;
  onClose: () => void;
}

export const NotInSchedule = ({ what, isGone, onClose }: NotInScheduleProps) => (
  <NotHere
    what={what}
    isGone={isGone}
    icon={<CalendarX2 aria-hidden />}
    action={<Button onClick={onClose}>Close</Button>}
  />
);
