/** Owns the way to 'Running late', wherever the day is shown. */
import { AlarmClock } from "lucide-react";
import { Suspense, useState } from "react";
import { withRest } from "../../core";
import { Button, IconButton, loadable } from "../../ui";

const RunningLate = loadable(() => withRest(import("./RunningLate")));

interface RunningLateButtonProps {
  /** True where there is room for a sign alone. */
  iconOnly?: boolean;
  className?: string;
}

export function RunningLateButton({ iconOnly, className }: RunningLateButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  return (
    <>
      {iconOnly ? (
        <IconButton label="Running late" className={className} onClick={open}>
          <AlarmClock />
        </IconButton>
      ) : (
        <Button kind="quiet" className={className} icon={<AlarmClock aria-hidden className="size-5" />} onClick={open}>
          Running late
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <RunningLate onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
