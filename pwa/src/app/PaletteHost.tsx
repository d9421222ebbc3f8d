/** Owns opening the command palette, which is loaded when it is first wanted: Ctrl + K or ⌘ K, or the field in the navigation. */

import { Search } from "lucide-react";
import { memo, Suspense, useEffect, useSyncExternalStore } from "react";
import { Listeners } from "../browser/listeners";
import { cx, ErrorBoundary, loadable } from "../ui";
import { useKeyNote } from "../ui/shortcuts";

const Palette = loadable(() => import("./Palette"));

const isMac = /Mac|iP/.test(navigator.platform);
const KEYS = isMac ? "⌘ K" : "Ctrl + K";

let shown = false;
const changes = new Listeners();

function set(next: boolean): void {
  shown = next;
  changes.notify();
}

const close = () => set(false);

export const PaletteHost = memo(function PaletteHost() {
  const open = useSyncExternalStore(changes.subscribe, () => shown);
  useKeyNote(KEYS, "Search or go anywhere");
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isIt = event.key.toLowerCase() === "k" && (isMac ? event.metaKey : event.ctrlKey);
      if (!isIt || event.shiftKey || event.altKey || event.repeat) return;
      event.preventDefault();
      // What is open above the screen may hold typed words.
      if (shown || !document.querySelector("dialog[open]")) set(!shown);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
      close();
    };
  }, []);
  if (!open) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <Palette onClose={close} />
      </Suspense>
    </ErrorBoundary>
  );
});

interface PaletteButtonProps {
  iconOnly?: boolean;
  /** Closes the menu that it is in. */
  onOpen?: () => void;
}

/** The way there for who does not know the keys, or has none. */
export function PaletteButton({ iconOnly = false, onOpen }: PaletteButtonProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label="Search or go to"
      title={`Search or go to (${KEYS})`}
      onPointerEnter={() => void Palette.preload()}
      onFocus={() => void Palette.preload()}
      onClick={() => {
        onOpen?.();
        set(true);
      }}
      className={cx(
        "flex h-12 shrink-0 items-center gap-3 rounded-large border border-line bg-paper px-[11px] text-left text-ink-2 transition-colors hover:bg-sunken hover:text-ink",
        !iconOnly && "w-full",
      )}
    >
      <Search aria-hidden className="size-[22px] shrink-0" />
      {!iconOnly && (
        <>
          <span className="min-w-0 flex-1 truncate">Search</span>
          <kbd aria-hidden className="font-sans text-12 whitespace-nowrap text-ink-3 max-md:hidden">
            {KEYS}
          </kbd>
        </>
      )}
    </button>
  );
}
