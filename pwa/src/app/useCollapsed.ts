/** Owns whether the sidebar is collapsed, remembered on this machine (SPEC 2). */
import { useCallback, useState } from "react";

const KEY = "walkies-sidebar";

export function useCollapsed(): [boolean, (collapsed: boolean) => void] {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(KEY) === "collapsed");
  const set = useCallback((next: boolean) => {
    localStorage.setItem(KEY, next ? "collapsed" : "open");
    setCollapsed(next);
  }, []);
  return [collapsed, set];
}
