/**
 * Owns the status that stays in sight when the banners have been scrolled away: no network, what waits, what needs
 * attention, a walk that goes on. A press brings the banners back, which say more and have the ways out.
 */
import { CircleAlert, CloudUpload, Footprints, WifiOff } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { ReportKind } from "../core";
import { useSyncStatus } from "../data";
import { kindOf, useOpenWalk } from "../data/walks/walks";

interface InSight {
  /** Goes around the banners. */
  ref: (element: HTMLElement | null) => (() => void) | undefined;
  inSight: boolean;
}

/**
 * Watches whether an element is there and on the screen. It counts as there until that is known: to draw the strip and
 * take it away again would hold up the first picture.
 */
export function useInSight(): InSight {
  const [inSight, setInSight] = useState(true);
  const watched = useRef<HTMLElement>(null);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    watched.current = element;
    const watch = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? true));
    watch.observe(element);
    return () => {
      watch.disconnect();
      watched.current = null;
      // The next screen has banners of its own, or none.
      queueMicrotask(() => watched.current ?? setInSight(false));
    };
  }, []);
  useEffect(() => {
    if (!watched.current) setInSight(false);
  }, []);
  return { ref, inSight };
}

const WALK_SIGNS: Record<ReportKind, string> = { walk: "Walk", visit: "Visit", day: "Day of a stay" };

export function StatusStrip() {
  const { online, unreachable, pending, attention, trouble } = useSyncStatus();
  const walk = useOpenWalk();
  const signs: (ReactNode | false)[] = [
    walk !== undefined && <Sign key="walk" icon={<Footprints aria-hidden />} text={WALK_SIGNS[kindOf(walk)]} />,
    unreachable && <Sign key="offline" icon={<WifiOff aria-hidden />} text={unreachable} />,
    // What is just being sent is no news.
    pending > 0 && (!online || trouble !== undefined) && (
      <Sign key="pending" icon={<CloudUpload aria-hidden />} text={`${pending} to send`} />
    ),
    attention > 0 && <Sign key="attention" icon={<CircleAlert aria-hidden />} text={`${attention} to review`} />,
  ];
  const shown = signs.filter(Boolean);
  const isShown = shown.length > 0;
  useEffect(() => {
    if (!isShown) return undefined;
    // What lies above the bar makes room for it.
    document.documentElement.style.setProperty("--status", "32px");
    return () => void document.documentElement.style.removeProperty("--status");
  }, [isShown]);
  if (!isShown) return null;
  return (
    <button
      type="button"
      onClick={() => {
        document.getElementById("content")?.scrollTo({ top: 0 });
        window.scrollTo({ top: 0 });
      }}
      className="hit num flex w-full flex-wrap justify-center gap-x-4 rounded-small border border-transparent bg-tag-soft px-3 py-1 text-12 font-bold text-tag-ink"
    >
      <span className="sr-only">Status:</span>
      {shown}
      <span className="sr-only">To the top</span>
    </button>
  );
}

function Sign({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <span className="flex items-center gap-1 [&>svg]:size-4">
      {icon}
      {text}
    </span>
  );
}
