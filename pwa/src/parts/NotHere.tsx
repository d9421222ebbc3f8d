/**
 * Owns what stands in place of something whose address is open and that this phone does not have: that it comes, why it
 * cannot come now, or that it is gone. Only a pull that has completed since tells the last: a notification may be faster.
 */
import { SearchX } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { deviceText } from "../browser/device";
import { sendNow } from "../data";
import { EmptyState } from "../ui";
import { LoadingOrFailure } from "./LoadingOrFailure";

interface NotHereProps {
  /** Noun of what is missing, as in `This visit`. */
  what: string;
  /** True if a pull has completed since its address was opened (`useHasPulledSince`). */
  isGone: boolean;
  icon?: ReactNode;
  /** Way on from here. */
  action?: ReactNode;
}

export function NotHere({ what, isGone, icon = <SearchX aria-hidden />, action }: NotHereProps) {
  // Fetches it at once, and not with the next poll.
  useEffect(() => {
    if (!isGone) sendNow();
  }, [isGone]);
  if (isGone) {
    return (
      <EmptyState icon={icon} title={`This ${what} is no longer here`} action={action}>
        It was deleted, or the link is wrong.
      </EmptyState>
    );
  }
  return (
    <div className="grid justify-items-stretch gap-4">
      <LoadingOrFailure
        label={`Loading the ${what}`}
        count={1}
        failure={(why) => deviceText(`This ${what} is not on this phone yet. ${why}`)}
      />
      {action}
    </div>
  );
}
