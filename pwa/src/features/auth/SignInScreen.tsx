/** Owns signing in, also again after an expired session: then everything on the phone is as it was (SPEC 2). */
import { useEffect, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { deviceText } from "../../browser/device";
import { type FactorNeeded, formatNames, transportError } from "../../core";
import { type LocalWorkCounts, signIn, type UserOnThisPhone, usersWithLocalWork, useSession } from "../../data";
import { AuthFrame, AuthLink, EmailField, problemOf } from "../../parts/account/AuthFrame";
import { CodeForm } from "../../parts/account/CodeForm";
import { addressOf } from "../../parts/account/pendingInvite";
import { Banner, Button, Dialog, Form, SubmitButton, TextField } from "../../ui";
import { useEmail } from "./email";
import { FactorStep } from "./FactorStep";
import { SIGN_IN_SIDES, type Side } from "./signInSides";

const NAMES: Record<keyof LocalWorkCounts, string> = {
  changes: "change",
  drafts: "draft",
  walks: "walk",
  routes: "route",
};

const total = (counts: LocalWorkCounts): number => Object.values(counts).reduce<number>((sum, it) => sum + it, 0);

/** `1 change and 3 walks`. */
function inWords(counts: LocalWorkCounts): string {
  const some = Object.entries(NAMES).map(([of, name]) => ({ count: counts[of as keyof LocalWorkCounts], name }));
  return formatNames(
    some.filter((it) => it.count > 0).map((it) => `${it.count} ${it.name}${it.count === 1 ? "" : "s"}`),
  );
}

export default function SignInScreen({ side = "sitter" }: { side?: Side }) {
  const [query] = useSearchParams();
  const session = useSession();
  const [waiting, setWaiting] = useState<UserOnThisPhone[]>([]);
  const [email, setEmail, forgetEmail] = useEmail(session.user?.email ?? "");
  const [password, setPassword] = useState("");
  const [next, setNext] = useState<FactorNeeded>();
  const [isBack, setBack] = useState(false);
  const expired = query.get("message") === "session_expired";
  // An expired session goes on without the network; only sending waits.
  const canGoBack = session.state === "needs_auth";
  const others = waiting.filter((it) => it.user.id !== session.user?.id);

  useEffect(() => {
    // A phone that cannot say what waits on it can still sign in.
    usersWithLocalWork().then(setWaiting, () => undefined);
  }, []);

  const signInNow = async () => {
    const result = await signIn(email.trim(), password);
    setNext(result.next);
    if (result.ok && !result.next) forgetEmail();
    return problemOf(result);
  };

  if (next) {
    const again = () => {
      setBack(true);
      setNext(undefined);
      setPassword("");
    };
    const { home } = SIGN_IN_SIDES[side];
    return (
      <FactorStep
        email={email.trim()}
        password={password}
        next={next}
        onBack={again}
        onEntered={forgetEmail}
        home={home}
      />
    );
  }

  return (
    <AuthFrame
      title="Sign in"
      home={SIGN_IN_SIDES[side].home}
      sub={SIGN_IN_SIDES[side].sub}
      foot={
        side === "parent" ? (
          <NewParent />
        ) : (
          <>
            <AuthLink to="/sitters/join">Join as a sitter</AuthLink>
            <AuthLink to="/">About Walkies</AuthLink>
          </>
        )
      }
    >
      {expired && <Banner role="status">{transportError(401, "")}</Banner>}
      {others.map(({ user, counts, isLocked }, n) => (
        <Banner key={`${user.id} ${n}`} kind="plain">
          {inWords(counts)} of {user.email} {total(counts) === 1 ? "waits" : "wait"}{" "}
          {deviceText("on this phone for the next sign-in.")}
          {!isLocked && deviceText(" It is not locked: anyone with this phone could read it.")}
        </Banner>
      ))}
      <Form onSubmit={signInNow}>
        <EmailField value={email} onChange={setEmail} />
        <TextField
          reader="none"
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus={isBack}
          value={password}
          onChange={setPassword}
        />
        <SubmitButton wide>Sign in</SubmitButton>
      </Form>
      <div className="-mt-2 flex flex-wrap justify-between gap-x-5">
        <AuthLink to="/auth/forgot-password">Forgot password?</AuthLink>
        {canGoBack && <AuthLink to={SIGN_IN_SIDES[side].back.to}>{SIGN_IN_SIDES[side].back.text}</AuthLink>}
      </div>
    </AuthFrame>
  );
}

/** The way in for a pet parent without an account: by the sitter's invitation, whose code may have been read out. */
function NewParent() {
  const [isOpen, setIsOpen] = useState(false);
  const [, navigate] = useLocation();
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-14 text-ink-2 text-pretty">
        New here? Your sitter sends you a link, shows you a code to scan, or reads one to you.
      </p>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        Enter a code
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} size="small" title="Your sitter's invitation">
        <CodeForm onFound={(invite) => navigate(addressOf(invite))} />
      </Dialog>
    </div>
  );
}
