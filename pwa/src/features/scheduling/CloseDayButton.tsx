/** Owns the way to 'Close the day', wherever today is shown. */
import { ListChecks } from "lucide-react";
import { Suspense, useState } from "react";
import { withRest } from "../../core";
import { Button, loadable } from "../../ui";

const CloseDay = loadable(() => withRest(import("./CloseDay")));

/** `count` is the number of services that can be marked by now. */
export function CloseDayButton({ count }: { count: number }) {
  const [isOpen, setOpen] = useState(false);
  // What was marked leaves the list while its dialog is open.
  if (count === 0 && !isOpen) return null;
  return (
    <>
      <Button kind="quiet" icon={<ListChecks aria-hidden className="size-5" />} onClick={() => setOpen(true)}>
        Close the day
      </Button>
      {isOpen && (
        <Suspense>
          <CloseDay onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
