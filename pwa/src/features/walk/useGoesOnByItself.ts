/** Owns that a walk whose tab was killed is recorded again as soon as the app is open; what comes of it is asked after. */
import { useEffect, useState } from "react";
import { loadWalkCore } from "../../core/walk";
import { useOpenState, useOpenWalk, type WalkRow } from "../../data/walks/walks";
import { reopenWalk } from "./tracker";

/** `tried` while it is opened; `left` where there is none to go on with, or it could not be opened or was silent for long. */
type GoesOn = "tried" | "left";

export function useGoesOnByItself(): GoesOn {
  const open = useOpenWalk();
  const state = useOpenState();
  const [left, setLeft] = useState<string>();
  const row = open && state === "interrupted" && open.id !== left ? open : undefined;
  useEffect(() => {
    if (!row) return undefined;
    const goOn = () => void goOnWith(row).then((isOpen) => isOpen || setLeft(row.id));
    if (document.visibilityState === "visible") {
      goOn();
      return undefined;
    }
    // A tab that nobody sees is told no positions.
    document.addEventListener("visibilitychange", goOn, { once: true });
    return () => document.removeEventListener("visibilitychange", goOn);
  }, [row]);
  return row ? "tried" : "left";
}

async function goOnWith(row: WalkRow): Promise<boolean> {
  try {
    await loadWalkCore();
    return (await reopenWalk(row, "by_itself")) === "here";
  } catch {
    return false;
  }
}
