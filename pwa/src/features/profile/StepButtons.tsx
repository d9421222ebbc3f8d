/** Owns the two buttons below a step: back, and on. */
import type { ReactNode } from "react";
import { Button } from "../../ui";

export function StepButtons({ onBack, children }: { onBack?: (() => void) | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-2 *:flex-1 md:justify-end md:*:flex-none">
      {onBack && (
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
      )}
      {children}
    </div>
  );
}
