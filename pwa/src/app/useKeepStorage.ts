/** Owns when the browser is asked to keep what this app stores: once it is installed, or has something to lose. */
import { useEffect } from "react";
import { keepStorage } from "../data";
import { useIsInstalled } from "../parts/install";

/** `hasWork`: whether there is something of the person's here, as a first client. */
export function useKeepStorage(hasWork: boolean): void {
  const isInstalled = useIsInstalled();
  const isWanted = hasWork || isInstalled;
  useEffect(() => {
    if (isWanted) void keepStorage();
  }, [isWanted]);
}
