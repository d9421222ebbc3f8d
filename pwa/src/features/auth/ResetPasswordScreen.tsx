/** Owns choosing a new password by the link from the mail. */
import { useState } from "react";
import { useSearchParams } from "react-router";
import { type Result, resetPassword } from "../../data";
import { Banner, ButtonLink, Form, SubmitButton, TextField } from "../../ui";
import { AuthFrame, AuthLink } from "./AuthFrame";

export default function ResetPasswordScreen() {
  const [query] = useSearchParams();
  const [password, setPassword] = useState("");
  const [result, setResult] = useState<Result>();

  return (
    <AuthFrame
      title="New password"
      foot={
        <>
          <AuthLink to="/auth/login">Back to sign in</AuthLink>
          <AuthLink to="/auth/forgot-password">Send a new link</AuthLink>
        </>
      }
    >
      {result?.ok ? (
        <>
          <Banner kind="ok" role="status">
            Your password is changed. Every phone that was signed in has to sign in again.
          </Banner>
          <ButtonLink to="/auth/login">Sign in</ButtonLink>
        </>
      ) : (
        <Form
          errors={result?.error.fields}
          error={result?.error.fields?.length ? undefined : result?.error.text}
          onSubmit={async () => setResult(await resetPassword(query.get("token") ?? "", password))}
        >
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="A few words that only you put together are best."
            value={password}
            onChange={setPassword}
          />
          <SubmitButton wide>Change password</SubmitButton>
        </Form>
      )}
    </AuthFrame>
  );
}
