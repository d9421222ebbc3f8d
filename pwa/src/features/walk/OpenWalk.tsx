/**
 * Owns the offer to go on with a walk that was interrupted: the app was closed, or the phone needed its memory. A walk of
 * the last hours goes on before anyone is asked; this is shown where it could not.
 */
import { Footprints } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { kindOf, useOpenState, type WalkRow } from "../../data/walks/walks";
import { clientsOf, clock, day } from "../../parts/walk/walkText";
import { Button } from "../../ui";
import { reopenWalk } from "./tracker";
import { useBack } from "./useBack";
import { useGoesOnByItself } from "./useGoesOnByItself";

const ELSEWHERE = ["A walk is running", "Another tab is tracking this walk. Close it, or continue there."];
const VISIT_ELSEWHERE = ["A visit is going on", "Another tab has this visit open. Close it, or continue there."];
const VISIT_OPEN = ["Resume your visit?", "Walkies was closed in between. Everything you noted is safe."];
const INTERRUPTED = [
  "Resume your walk?",
  "Walkies was closed during the walk. The recording is safe, with a gap for the time in between.",
];
const UNREADABLE = deviceText(
  "This phone's storage does not give it out right now. Try again, or close Walkies and open it again.",
);

export function OpenWalk({ row }: { row: WalkRow }) {
  const [, navigate] = useLocation();
  const back = useBack();
  const state = useOpenState();
  const [busy, setBusy] = useState<"go_on" | "end">();
  const [isRefused, setRefused] = useState(false);
  const [isUnreadable, setUnreadable] = useState(false);
  const isElsewhere = state === "running" || isRefused;
  const goesOn = useGoesOnByItself();
  const open = async (then: "go_on" | "end") => {
    setBusy(then);
    try {
      const where = await reopenWalk(row, then);
      setRefused(where === "elsewhere");
      setUnreadable(false);
      // Whoever goes on with this one has answered what an address wanted to start.
      if (where === "here" && then === "go_on") navigate("/walk", { replace: true });
    } catch {
      setUnreadable(true);
    }
    setBusy(undefined);
  };
  const isOver = row.ended_at !== undefined;
  useEffect(() => {
    // It only waits for its last words.
    if (isOver) void open("end");
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver]);

  if (goesOn === "tried") return <div className="min-h-dvh bg-paper" />;
  if (isOver && !isRefused && !isUnreadable) return <div className="min-h-dvh bg-paper" />;
  const clients = clientsOf(row);
  const isWalk = kindOf(row) === "walk";
  const unreadable = [`This ${isWalk ? "walk" : "visit"} could not be read`, UNREADABLE];
  const [elsewhere, interrupted] = isWalk ? [ELSEWHERE, INTERRUPTED] : [VISIT_ELSEWHERE, VISIT_OPEN];
  const [title, text] = isUnreadable ? unreadable : isElsewhere ? elsewhere : interrupted;
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col justify-end gap-5 px-5 pt-safe pb-8">
      <div className="grid flex-1 grid-cols-1 content-center justify-items-center gap-3 text-center">
        <div className="grid size-16 place-items-center rounded-full bg-tag-soft text-tag-ink">
          <Footprints aria-hidden className="size-7" />
        </div>
        <h1 className="text-28 font-bold">{title}</h1>
        <p className="num text-ink-2 text-pretty wrap-anywhere">
          {row.title} · {clients && `${clients} · `}started {day(row.started_at)}, {clock(row.started_at)}
        </p>
        <p role="status" className="text-ink-2 text-pretty">
          {text}
        </p>
      </div>
      <div className="grid gap-3">
        {isOver ? (
          <Button wide busy={busy === "end"} onClick={() => void open("end")}>
            Try Again
          </Button>
        ) : (
          <Button wide busy={busy === "go_on"} disabled={busy !== undefined} onClick={() => void open("go_on")}>
            {isElsewhere ? "Resume here" : "Resume"}
          </Button>
        )}
        {!isElsewhere && !isOver && (
          <Button
            kind="quiet"
            wide
            busy={busy === "end"}
            disabled={busy !== undefined}
            onClick={() => void open("end")}
          >
            {isWalk ? "End it where it stopped" : "End it with what was noted last"}
          </Button>
        )}
        <Button kind="plain" wide onClick={back}>
          Back
        </Button>
      </div>
    </div>
  );
}
