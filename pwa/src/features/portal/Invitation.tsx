/**
 * Owns what an invitation shows to whoever is not signed in as a pet parent: who invites, a form for a new account, the way
 * in for those who have one, and for a sitter the way to be a pet parent, too. A code that is good no longer is told at once,
 * before anybody types.
 */
import { MailX } from "lucide-react";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { InvitePage } from "../../core";
import { useSession } from "../../data";
import { addRole } from "../../data/account/roles";
import { openBusiness, subscribeToReplica } from "../../data/business/openBusiness";
import { readInvite } from "../../data/portal/portal";
import { AuthFrame, AuthLink } from "../../parts/account/AuthFrame";
import { inviteIn, keepInvite } from "../../parts/account/pendingInvite";
import { LoadingOrFailure } from "../../parts/LoadingOrFailure";
import { Banner, Button, EmptyState, Spinner, useBusy } from "../../ui";
import { CodeStep, SignUpForm, useSignUp } from "../auth";
import { shownName } from "./ownClient";

export default function Invitation() {
  const [query] = useSearchParams();
  const code = inviteIn(query)?.code ?? "";
  const { user } = useSession();
  const { page, error, look } = useInvite(code);

  useEffect(() => keepInvite(inviteIn(query)), [query]);
  if (error) {
    const foot = user ? <BackToDay /> : <AuthLink to="/auth/login">I have an account</AuthLink>;
    return (
      <AuthFrame home={user ? "/scheduling" : "/client"} title="Invitation" foot={foot}>
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
  if (!page) return <Looking />;
  return user ? <ForSitter page={page} email={user.email} /> : <SignUpAsParent page={page} code={code} />;
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

/** A sitter who is invited by another one becomes a pet parent, too. The invitation is followed then, and kept until then. */
function ForSitter({ page, email }: { page: InvitePage; email: string }) {
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string>();
  const { busy, run } = useBusy();
  const name = shownName({ name: page.sitter_name, business_name: page.business_name });
  const isOwn = useIsOwnClient(page.client_id);
  if (isOwn === "not_open") return <Looking />;
  if (isOwn === "not_loaded") {
    return (
      <AuthFrame title="Invitation" home="/scheduling" foot={<BackToDay />}>
        <LoadingOrFailure
          label="Loading your clients"
          failure={(why) => `Your clients could not be loaded yet. ${why}`}
          count={1}
        />
      </AuthFrame>
    );
  }
  if (isOwn) {
    return (
      <AuthFrame title="Your own invitation" home="/scheduling" foot={<BackToDay />}>
        <p className="text-pretty">You sent this invitation yourself. It is for your client.</p>
      </AuthFrame>
    );
  }
  const follow = async () => {
    const result = await addRole("client");
    // The address is that of a pet parent with an invitation, who comes in here.
    if (!result.ok) setProblem(result.error.text);
  };
  const later = () => {
    keepInvite(undefined);
    navigate("/scheduling", { replace: true });
  };
  return (
    <AuthFrame
      title={`${name} invites you`}
      home="/scheduling"
      sub={`You are signed in as a sitter (${email}). With the same email and password you can be a pet parent, too: your pets' visits are apart from your business, and you can switch at any time.`}
    >
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      <div className="grid gap-2">
        <Button wide busy={busy} onClick={() => void run(follow)}>
          Accept as a pet parent
        </Button>
        <Button wide kind="quiet" onClick={later}>
          Not now
        </Button>
      </div>
      <p className="text-14 text-ink-2 text-pretty">
        The link stays good until it is used or expires. To use another email, sign out and open it again.
      </p>
    </AuthFrame>
  );
}

/** True for the record of a client of the person's own, as far as that is known. */
const useIsOwnClient = (clientId: string): boolean | "not_open" | "not_loaded" =>
  useSyncExternalStore(subscribeToReplica, () => {
    const open = openBusiness();
    if (open?.store.role !== "sitter") return "not_open";
    return open.phone.hasLoaded() ? open.phone.client(clientId) !== undefined : "not_loaded";
  });

/** Leaves the invitation for the own day. */
const BackToDay = () => (
  <AuthLink to="/scheduling" onGo={() => keepInvite(undefined)}>
    Back to my day
  </AuthLink>
);
