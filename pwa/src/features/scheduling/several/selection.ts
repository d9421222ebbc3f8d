/** Owns which visits of the schedule are marked, to be moved, called off, done or written about together. */
import { createContext, useContext, useMemo, useState } from "react";

export interface Selection {
  /** True while a press on a visit marks it. */
  isOn: boolean;
  marked: ReadonlySet<string>;
  /** Begins marking, with one visit or with none yet. */
  begin: (id?: string) => void;
  toggle: (id: string) => void;
  clear: () => void;
}

const OFF = { isOn: false, isBegun: false, marked: new Set<string>() };

export const SelectionContext = createContext<Selection>({
  ...OFF,
  begin: () => undefined,
  toggle: () => undefined,
  clear: () => undefined,
});

export const useSelection = (): Selection => useContext(SelectionContext);

/** The selection of a schedule, which stays for as long as that is shown. */
export function useSelectionState(): Selection {
  const [state, setState] = useState(OFF);
  return useMemo(
    () => ({
      isOn: state.isOn,
      marked: state.marked,
      begin: (id) => setState({ isOn: true, isBegun: true, marked: new Set(id ? [id] : []) }),
      toggle: (id) =>
        setState(({ isBegun, marked }) => {
          const next = new Set(marked);
          if (!next.delete(id)) next.add(id);
          // Who marked by a key or a click alone has ended with the last one.
          return { isOn: isBegun || next.size > 0, isBegun, marked: next };
        }),
      clear: () => setState(OFF),
    }),
    [state],
  );
}
