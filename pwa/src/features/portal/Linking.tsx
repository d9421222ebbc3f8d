/** Owns the moment in which a pet parent who is signed in follows an invitation: a wait, or why it leads nowhere. */
import { MailX } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { linkByCode, usePortal } from "../../data/portal/portal";
import { Button, EmptyState, Spinner, toast } from "../../ui";
import { AuthFrame } from "../auth/AuthFrame";
import { keepInvite, type PendingInvite } from "./pendingInvite";

interface LinkingProps {
  invite: PendingInvite;
  /** Also when it leads nowhere. */
  onDone: () => void;
}

export function Linking({ invite: { client_id, code }, onDone }: LinkingProps) {
  const [, navigate] = useLocation();
  const { sitters } = usePortal();
  const [error, setError] = useState<string>();

  const leave = useCallback(() => {
    keepInvite(undefined);
    navigate("/client", { replace: true });
    onDone();
  }, [navigate, onDone]);

  const link = useCallback(async () => {
    setError(undefined);
    const answer = await linkByCode(client_id, code);
    if (!answer.ok) return setError(answer.error.text);
    toast.success("You are connected");
    leave();
  }, [client_id, code, leave]);
  useEffect(() => void link(), [link]);

  return (
    <AuthFrame title="Invitation">
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
              <Button kind="quiet" onClick={() => void link()}>
                Try Again
              </Button>
              <Button onClick={leave}>{sitters.length > 0 ? "To my visits" : "Go on without it"}</Button>
            </div>
          }
        />
      )}
    </AuthFrame>
  );
}
