/** Owns what a person can do with what is not sent when they sign out: send it, keep it here, discard it. */
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { canLockWork, signOut, storageTrouble } from "../../data";
import { Banner, Button, Form, SubmitButton, TextField } from "../../ui";

const DISCARD = "DISCARD";

interface WaysOutProps {
  /** Number of changes that wait or need attention. */
  count: number;
  /** Called when they are signed out. */
  onGone: () => void;
}

export default function WaysOut({ count, onGone }: WaysOutProps) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [under, setUnder] = useState<"send" | "keep">();
  const [discarding, setDiscarding] = useState(false);
  const [typed, setTyped] = useState("");
  const [isLocked, setLocked] = useState(true);

  useEffect(() => {
    // A phone that cannot say whether there is a lock has none.
    canLockWork().then(setLocked, () => setLocked(false));
  }, []);

  const leave = async (how: "send" | "keep" | "discard") => {
    setError(undefined);
    if (how !== "discard") setUnder(how);
    try {
      const result = await signOut(how);
      if (!result.ok) return setError(result.error.text);
      onGone();
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
        {deviceText(`${changes} on this phone ${count === 1 ? "has" : "have"} not reached the server.`)} What shall
        become of {count === 1 ? "it" : "them"}?
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
          <div className="flex flex-wrap gap-2 *:flex-1">
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
            {deviceText(isLocked ? "Keep on this phone, locked" : "Keep on this phone")}
          </Button>
          {!isLocked && (
            <p className="text-14 text-ink-2">
              {deviceText("What is kept cannot be locked here: whoever has this phone could read it.")} Sign in with
              your password again to have it locked.
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
