/** Owns what a person can do with what is not sent when they sign out: send it, keep it here, discard it. */
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { deviceText } from "../../browser/device";
import { canLockWork, flushDrafts, signOut, storageTrouble } from "../../data";
import { countUnsent, type UnsentCounts } from "../../data/localData";
import { Banner, Button, Form, SubmitButton, TextField } from "../../ui";
import { counted, countedAll } from "./counted";

const DISCARD = "DISCARD";

interface WaysOutProps {
  /** Number of changes that wait to be sent. */
  pending: number;
  /** Number of changes that need attention: the server has answered them. */
  attention: number;
  /** Called when they are signed out. */
  onGone: () => void;
}

export default function WaysOut({ pending, attention, onGone }: WaysOutProps) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const [under, setUnder] = useState<"send" | "keep">();
  const [discarding, setDiscarding] = useState(false);
  const [typed, setTyped] = useState("");
  const [isLocked, setLocked] = useState(true);

  const [unsent, setUnsent] = useState<UnsentCounts>();
  useEffect(() => {
    // What a form has just heard counts, too.
    void flushDrafts()
      .then(countUnsent)
      .then(setUnsent, () => undefined);
  }, []);

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

  const count = pending + attention;
  const { drafts = 0, photos = 0, videos = 0 } = unsent ?? {};
  const discarded = countedAll({ change: count, draft: drafts, photo: photos, video: videos });
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        {pending > 0 &&
          deviceText(
            `${counted(pending, "change")} on this phone ${pending === 1 ? "has" : "have"} not reached the server. `,
          )}
        {attention > 0 &&
          `${counted(attention, "change")} in Needs attention ${attention === 1 ? "is" : "are"} not done. `}
        What do you want to do with {count === 1 ? "it" : "them"}?
      </p>
      {error && (
        <Banner kind="danger" role="alert">
          {error}
        </Banner>
      )}
      {discarding ? (
        <Form onSubmit={() => typed === DISCARD && leave("discard")}>
          <TextField
            reader="none"
            name="discard"
            label={`To discard ${discarded} for good, type ${DISCARD}`}
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
          {pending > 0 && (
            <Button wide busy={under === "send"} onClick={() => void leave("send")}>
              Send now and sign out
            </Button>
          )}
          <Button
            wide
            kind={pending > 0 ? "quiet" : "primary"}
            busy={under === "keep"}
            onClick={() => void leave("keep")}
          >
            {deviceText(isLocked ? "Keep on this phone, locked" : "Keep on this phone")}
          </Button>
          {!isLocked && (
            <p className="text-14 text-ink-2">
              {deviceText("Walkies cannot lock what stays here: anyone with this phone could read it.")} Sign in with
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
