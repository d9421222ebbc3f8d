/** Owns the offer to go on with a walk that was interrupted: the app was closed, or the phone needed its memory. */
import { Footprints } from "lucide-react";
import { useState } from "react";
import type { WalkRow } from "../../data/walks";
import { Button, toast } from "../../ui";
import { reopenWalk } from "./tracker";
import { clock, day } from "./words";

export function OpenWalk({ row }: { row: WalkRow }) {
  const [busy, setBusy] = useState<"go_on" | "end">();
  const [elsewhere, setElsewhere] = useState(false);
  const open = async (then: "go_on" | "end") => {
    setBusy(then);
    try {
      setElsewhere(!(await reopenWalk(row, then)));
    } catch {
      toast.error("The walk could not be read. Please close Walkies and open it again.");
    }
    setBusy(undefined);
  };
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col justify-end gap-5 px-5 pt-safe pb-8">
      <div className="grid flex-1 place-content-center justify-items-center gap-3 text-center">
        <div className="grid size-16 place-items-center rounded-full bg-tag-soft text-tag-ink">
          <Footprints aria-hidden className="size-7" />
        </div>
        <h1 className="text-28 font-bold">Go on with your walk?</h1>
        <p className="num text-ink-2 text-pretty">
          {row.title} · started {day(row.started_at)}, {clock(row.started_at)}
        </p>
        <p className="text-ink-2 text-pretty">
          {elsewhere
            ? "Another tab is tracking this walk. Close it, or go on there."
            : "Walkies was closed while it ran. What was recorded is safe; the time in between stays a gap."}
        </p>
      </div>
      <div className="grid gap-3">
        <Button wide busy={busy === "go_on"} disabled={busy !== undefined} onClick={() => void open("go_on")}>
          Go on
        </Button>
        <Button kind="quiet" wide busy={busy === "end"} disabled={busy !== undefined} onClick={() => void open("end")}>
          End it where it stopped
        </Button>
      </div>
    </div>
  );
}
