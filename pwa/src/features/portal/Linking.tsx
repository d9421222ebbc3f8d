/** Owns the moment in which a pet parent who is signed in follows an invitation: a wait, or why it leads nowhere. */
import { MailX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { linkByCode, usePortal } from "../../data/portal/portal";
import { AuthFrame } from "../../parts/account/AuthFrame";
import { keepInvite, type PendingInvite } from "../../parts/account/pendingInvite";
import { Button, EmptyState, Spinner, toast } from "../../ui";

interface LinkingProps {
  invite: PendingInvite;
  /** Also when it leads nowhere. */
  onDone: () => void;
}

export function Linking({ invite: { client_id, code }, onDone }: LinkingProps) {
  const [, navigate] = useLocation();
  const { sitters } = usePortal();
  const [error, setError] = useState<string>();
  const [tries, setTries] = useState(0);

  const leave = () => {
    keepInvite(undefined);
    navigate("/client", { replace: true });
    onDone();
  };
  // What is drawn meanwhile makes it no other link.
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    let current = true;
    setError(undefined);
    void linkByCode(client_id, code).then((answer) => {
      if (!current) return;
      if (!answer.ok) return setError(answer.error.text);
      toast.success("You are connected with your sitter");
      latest.current();
    });
    return () => {
      current = false;
    };
  }, [client_id, code, tries]);

  return (
    <AuthFrame title="Invitation" home="/client">
      {error === undefined ? (
        <div className="grid place-content-center py-8 text-ink-3">
          <Spinner label="Connecting you" />
        </div>
      ) : (
        <EmptyState
          icon={<MailX aria-hidden />}
          title={error}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Button kind="quiet" onClick={() => setTries(tries + 1)}>
                Try Again
              </Button>
              <Button onClick={leave}>{sitters.length > 0 ? "To my visits" : "Continue without it"}</Button>
            </div>
          }
        />
      )}
    </AuthFrame>
  );
}
