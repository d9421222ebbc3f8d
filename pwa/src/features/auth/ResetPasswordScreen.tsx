/** Owns choosing a new password by the link from the mail. */
import { useState } from "react";
import { useSearchParams } from "wouter";
import { resetPassword } from "../../data/account/signUp";
import { AuthFrame, AuthLink, problemOf } from "../../parts/account/AuthFrame";
import { NewPasswordField } from "../../parts/account/NewPasswordField";
import { Banner, ButtonLink, Form, SubmitButton } from "../../ui";

export default function ResetPasswordScreen() {
  const [query] = useSearchParams();
  const [password, setPassword] = useState("");
  const [changed, setChanged] = useState(false);

  const send = async () => {
    const result = await resetPassword(query.get("token") ?? "", password);
    setChanged(result.ok);
    return problemOf(result);
  };

  return (
    <AuthFrame
      title="New password"
      // The link from the mail opens a tab that does not know which of the two apps it is.
      home="/auth/login"
      foot={
        <>
          <AuthLink to="/auth/login">Back to sign in</AuthLink>
          <AuthLink to="/auth/forgot-password">Send a new link</AuthLink>
        </>
      }
    >
      {changed ? (
        <>
          <Banner kind="ok" role="status">
            Your password is changed. Every phone that was signed in has to sign in again.
          </Banner>
          <ButtonLink to="/auth/login">Sign in</ButtonLink>
        </>
      ) : (
        <Form onSubmit={send}>
          <NewPasswordField name="password" label="New password" value={password} onChange={setPassword} />
          <SubmitButton wide>Change password</SubmitButton>
        </Form>
      )}
    </AuthFrame>
  );
}
