/** Owns the way from a day's list to its map. */
import { Map as MapIcon } from "lucide-react";
import { Suspense, useState } from "react";
import { withRest } from "../../core";
import { Button, loadable } from "../../ui";

const DayWay = loadable(() => withRest(import("./DayWay")));

export function DayWayButton({ date }: { date: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon={<MapIcon aria-hidden className="size-5" />} onClick={() => setOpen(true)}>
        Day on the map
      </Button>
      {isOpen && (
        <Suspense>
          <DayWay date={date} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
