/** Owns the way out: at once where nothing waits on this phone, else only after the person has said what becomes of it. */

import { Suspense, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { Listeners } from "../../browser/listeners";
import { endWalkFirst, isReloadPreventedAnywhere, signOut, useSyncStatus } from "../../data";
import { Dialog, loadable, Spinner, toast } from "../../ui";

const WaysOut = loadable(() => import("./WaysOut"));

let asking = false;
const changes = new Listeners();

function set(next: boolean): void {
  asking = next;
  changes.notify();
}

/** Returns the handler of a Sign Out button. */
export function useSignOut(): () => Promise<void> {
  const { pending, attention } = useSyncStatus();
  const [, navigate] = useLocation();
  return async () => {
    if (await isReloadPreventedAnywhere()) {
      toast.info(endWalkFirst("you sign out"));
    } else if (pending + attention > 0) {
      set(true);
    } else {
      await signOut("keep");
      navigate("/auth/login");
    }
  };
}

/** Stands in the shell and waits to be needed. */
export function SignOutDialog() {
  const open = useSyncExternalStore(changes.subscribe, () => asking);
  const { pending, attention } = useSyncStatus();
  return (
    <Dialog
      open={open}
      onClose={() => set(false)}
      size="small"
      title={pending > 0 ? "Not everything is sent yet" : "Not everything is done yet"}
    >
      <Suspense fallback={<Spinner />}>
        <WaysOut pending={pending} attention={attention} onGone={() => set(false)} />
      </Suspense>
    </Dialog>
  );
}
