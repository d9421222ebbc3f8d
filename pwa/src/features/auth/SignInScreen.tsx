/** Owns signing in, also again after an expired session: then everything on the phone is as it was (SPEC 2). */
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { transportError } from "../../core";
import { signIn, type UserOnThisPhone, usersWithWaitingWork, useSession } from "../../data";
import { Banner, Form, SubmitButton, TextField } from "../../ui";
import { AuthFrame, AuthLink, EmailField, problemOf } from "./AuthFrame";
import { useEmail } from "./email";

export default function SignInScreen() {
  const [query] = useSearchParams();
  const session = useSession();
  const [waiting, setWaiting] = useState<UserOnThisPhone[]>([]);
  const [email, setEmail, forgetEmail] = useEmail(session.user?.email ?? "");
  const [password, setPassword] = useState("");
  const expired = query.get("message") === "session_expired";
  // An expired session goes on without the network; only sending waits.
  const canGoBack = session.state === "needs_auth";
  const others = waiting.filter((it) => it.user.id !== session.user?.id);

  useEffect(() => {
    // A phone that cannot say what waits on it can still sign in.
    usersWithWaitingWork().then(setWaiting, () => undefined);
  }, []);

  const signInNow = async () => {
    const result = await signIn(email.trim(), password);
    if (result.ok) forgetEmail();
    return problemOf(result);
  };

  return (
    <AuthFrame
      title="Sign in"
      sub="Your day, your clients and their pets, with and without a network."
      foot={
        <>
          <AuthLink to="/sitters/join">Join as a sitter</AuthLink>
          <AuthLink to="/">About Walkies</AuthLink>
        </>
      }
    >
      {expired && <Banner role="status">{transportError(401, "")}</Banner>}
      {others.map(({ user, waiting: count }) => (
        <Banner key={user.id} kind="plain">
          {count === 1 ? "1 change" : `${count} changes`} of {user.email} {count === 1 ? "waits" : "wait"} on this phone
          for the next sign-in.
        </Banner>
      ))}
      <Form onSubmit={signInNow}>
        <EmailField value={email} onChange={setEmail} />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <SubmitButton wide>Sign in</SubmitButton>
      </Form>
      <div className="-mt-2 flex flex-wrap justify-between gap-x-5">
        <AuthLink to="/auth/forgot-password">Forgot password?</AuthLink>
        {canGoBack && <AuthLink to="/scheduling">Not now, back to my day</AuthLink>}
      </div>
    </AuthFrame>
  );
}
