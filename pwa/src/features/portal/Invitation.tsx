/**
 * Owns what an invitation shows to whoever is not signed in as a pet parent: who invites, a form for a new account, and the
 * way in for those who have one. A code that is good no longer is told at once, before anybody types.
 */
import { MailX } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import type { InvitePage } from "../../core";
import { useSession } from "../../data";
import { readInvite } from "../../data/portal/portal";
import { AuthFrame, AuthLink } from "../../parts/account/AuthFrame";
import { Button, EmptyState, Spinner } from "../../ui";
import { CodeStep, SignUpForm, useSignUp } from "../auth";
import { shownName } from "./ownClient";
import { inviteIn, keepInvite } from "./pendingInvite";

export default function Invitation() {
  const [query] = useSearchParams();
  const code = inviteIn(query)?.code ?? "";
  const { user } = useSession();
  const { page, error, look } = useInvite(code);

  useEffect(() => keepInvite(inviteIn(query)), [query]);
  if (user) return <ForSitters email={user.email} />;
  if (error) {
    return (
      <AuthFrame home="/client" title="Invitation" foot={<AuthLink to="/auth/login">I have an account</AuthLink>}>
        <EmptyState
          icon={<MailX aria-hidden />}
          title={error}
          action={
            <Button kind="quiet" onClick={look}>
              Try Again
            </Button>
          }
        />
      </AuthFrame>
    );
  }
  return page ? <SignUpAsParent page={page} code={code} /> : <Looking />;
}

function useInvite(code: string) {
  const [page, setPage] = useState<InvitePage>();
  const [error, setError] = useState<string>();
  const look = useCallback(() => {
    setError(undefined);
    void readInvite(code).then((answer) => (answer.ok ? setPage(answer.value) : setError(answer.error.text)));
  }, [code]);
  useEffect(look, [look]);
  return { page, error, look };
}

function Looking() {
  return (
    <AuthFrame home="/client" title="Invitation">
      <div className="grid place-content-center py-8 text-ink-3">
        <Spinner />
      </div>
    </AuthFrame>
  );
}

function SignUpAsParent({ page, code }: { page: InvitePage; code: string }) {
  const steps = useSignUp(null, code);
  if (steps.awaited) return <CodeStep steps={steps} awaited={steps.awaited} />;
  const name = shownName({ name: page.sitter_name, business_name: page.business_name });
  return (
    <AuthFrame
      title={`${name} invites you`}
      home="/client"
      sub="See your visits, prices and reports, request new visits, and keep your pets' details up to date. It's free for you."
      foot={<AuthLink to="/auth/login">I have an account</AuthLink>}
    >
      <SignUpForm {...steps} />
    </AuthFrame>
  );
}

/** A login is for one side: a sitter's has no place for somebody else's visits. */
function ForSitters({ email }: { email: string }) {
  return (
    <AuthFrame title="This is for pet parents" foot={<AuthLink to="/scheduling">Back to my day</AuthLink>}>
      <p className="text-pretty wrap-anywhere">
        The invitation is for a pet parent, and you are signed in as a sitter ({email}). To follow it yourself, sign out
        first, open the link again, and use another email.
      </p>
    </AuthFrame>
  );
}
