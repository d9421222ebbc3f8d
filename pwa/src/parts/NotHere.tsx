/**
 * Owns what stands in place of something whose address is open and that this phone does not have: that it comes, why it
 * cannot come now, or that it is gone. Only a pull that has completed can tell the last.
 */
import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { deviceText } from "../browser/device";
import { useHasPulled } from "../data";
import { EmptyState } from "../ui";
import { LoadingOrFailure } from "./LoadingOrFailure";

interface NotHereProps {
  /** Noun of what is missing, as in `This visit`. */
  what: string;
  icon?: ReactNode;
  /** Way on from here. */
  action?: ReactNode;
}

export function NotHere({ what, icon = <SearchX aria-hidden />, action }: NotHereProps) {
  if (useHasPulled()) {
    return (
      <EmptyState icon={icon} title={`This ${what} is not here any more`} action={action}>
        It was deleted, or the address is an old one.
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

/** Returns the heading of the page of something that is not here: `what` while it may still come. */
export const useHeadingOfNone = (what: string): string => (useHasPulled() ? "Not here" : what);
