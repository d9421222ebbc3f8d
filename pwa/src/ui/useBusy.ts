/** Owns work that a press begins: it runs once at a time, and shows that it runs when it takes longer than a moment. */
import { useRef, useState } from "react";

/** A sign that is gone sooner is only a flash, and what is waited for would come later for drawing it. */
const SHOWN_AFTER_MS = 150;

interface Busy {
  /** True if it is to be shown that the work is under way. */
  busy: boolean;
  /** Runs `work`, unless the last one is still under way. */
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useBusy(): Busy {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    let isShown = false;
    const timer = setTimeout(() => {
      isShown = true;
      setBusy(true);
    }, SHOWN_AFTER_MS);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      isRunning.current = false;
      if (isShown) setBusy(false);
    }
  };
  return { busy, run };
}
