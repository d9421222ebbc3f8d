/** Owns which categories of services are folded away, remembered on this device (SPEC 2, Services). */
import { useState } from "react";

const KEY = "walkies-collapsed-services";

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((it) => typeof it === "string") : [];
  } catch {
    return []; // storage is off or holds something else: everything is open
  }
}

export function useCollapsed(): [ReadonlySet<string>, (categories: Iterable<string>) => void] {
  const [collapsed, setCollapsed] = useState(() => new Set(read()));
  const set = (categories: Iterable<string>) => {
    const next = new Set(categories);
    setCollapsed(next);
    try {
      localStorage.setItem(KEY, JSON.stringify([...next]));
    } catch {
      // Not remembered then; it still folds.
    }
  };
  return [collapsed, set];
}
