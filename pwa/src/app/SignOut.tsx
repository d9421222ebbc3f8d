/** Owns the way out: at once where nothing waits on this phone, else only after the person has said what becomes of it. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { canKeepLocked, endWalkFirst, isHeldAnywhere, signOut, storageTrouble, useSyncStatus } from "../data";
import { Banner, Button, Dialog, Form, SubmitButton, TextField, toast } from "../ui";

let asking = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  asking = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What a Sign Out button does. */
export function useSignOut(): () => Promise<void> {
  const { pending, attention } = useSyncStatus();
  const [, navigate] = useLocation();
  return async () => {
    if (await isHeldAnywhere()) {
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
  const open = useSyncExternalStore(subscribe, () => asking);
  const { pending, attention } = useSyncStatus();
  return (
    <Dialog open={open} onClose={() => set(false)} size="small" title="Not everything is sent yet">
      <Ways count={pending + attention} />
    </Dialog>
  );
}

const DISCARD = "DISCARD";

function Ways({ count }: { count: number }) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [under, setUnder] = useState<"send" | "keep">();
  const [discarding, setDiscarding] = useState(false);
  const [typed, setTyped] = useState("");
  const [isLocked, setLocked] = useState(true);

  useEffect(() => {
    // A phone that cannot say whether there is a lock has none.
    canKeepLocked().then(setLocked, () => setLocked(false));
  }, []);

  const leave = async (how: "send" | "keep" | "discard") => {
    setError(undefined);
    if (how !== "discard") setUnder(how);
    try {
      const result = await signOut(how);
      if (!result.ok) return setError(result.error.text);
      set(false);
      navigate("/auth/login");
    } catch (thrown) {
      setError(storageTrouble(thrown));
    } finally {
      setUnder(undefined);
    }
  };

  const changes = count === 1 ? "1 change" : `${count} changes`;
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        {changes} on this phone {count === 1 ? "has" : "have"} not reached the server. What shall become of{" "}
        {count === 1 ? "it" : "them"}?
      </p>
      {error && (
        <Banner kind="danger" role="alert">
          {error}
        </Banner>
      )}
      {discarding ? (
        <Form onSubmit={() => typed === DISCARD && leave("discard")}>
          <TextField
            name="discard"
            label={`To discard ${changes} for good, type ${DISCARD}`}
            value={typed}
            onChange={setTyped}
            autoCapitalize="characters"
            autoComplete="off"
            autoFocus
          />
          <div className="flex gap-2 *:flex-1">
            <Button kind="quiet" onClick={() => setDiscarding(false)}>
              Back
            </Button>
            <SubmitButton kind="danger" disabled={typed !== DISCARD}>
              Discard
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <>
          <Button wide busy={under === "send"} onClick={() => void leave("send")}>
            Send now and sign out
          </Button>
          <Button wide kind="quiet" busy={under === "keep"} onClick={() => void leave("keep")}>
            {isLocked ? "Keep on this phone, locked" : "Keep on this phone"}
          </Button>
          {!isLocked && (
            <p className="text-14 text-ink-2">
              What is kept cannot be locked here: whoever has this phone could read it. Sign in with your password again
              to have it locked.
            </p>
          )}
          <Button wide kind="plain" className="text-danger!" onClick={() => setDiscarding(true)}>
            Discard
          </Button>
        </>
      )}
    </div>
  );
}
