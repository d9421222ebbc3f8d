/** Owns the list of keys, behind `?`: it shows what the open screen has set, so it is always true. */

import { memo, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { Listeners } from "../browser/listeners";
import { Dialog, useShortcut } from "../ui";
import { useShortcuts } from "../ui/shortcuts";
import { menuSections } from "./sections";

let shown = false;
const changes = new Listeners();

function set(next: boolean): void {
  shown = next;
  changes.notify();
}

export const showShortcuts = (): void => set(true);

export const ShortcutList = memo(function ShortcutList() {
  const open = useSyncExternalStore(changes.subscribe, () => shown);
  const shortcuts = useShortcuts();
  useShortcut("?", "Show these keys", showShortcuts);
  return (
    <>
      {menuSections.slice(0, 9).map((section, index) => (
        <SectionKey key={section.path} path={section.path} label={section.label} digit={String(index + 1)} />
      ))}
      <Dialog open={open} onClose={() => set(false)} title="Keyboard shortcuts">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 pb-2">
          {[...new Map(shortcuts.map((it) => [it.key, it])).values()].map(({ key, does }) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="num grid h-8 w-fit min-w-8 place-items-center rounded-small border border-line bg-sunken px-2 font-sans text-14 font-bold">
                  {key}
                </kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
});

function SectionKey({ path, label, digit }: { path: string; label: string; digit: string }) {
  const [, navigate] = useLocation();
  useShortcut(digit, `Go to ${label}`, () => navigate(path));
  return null;
}
