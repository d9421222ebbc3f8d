/** Owns asking for a new password; the answer is the same whether the address is known or not. */
import { useState } from "react";
import { forgotPassword, type Result } from "../../data";
import { Banner, Form, SubmitButton, TextField } from "../../ui";
import { AuthFrame, AuthLink } from "./AuthFrame";

export default function ForgotPasswordScreen() {
  const [email, setEmail] = useState("");
  const [result, setResult] = useState<Result>();

  return (
    <AuthFrame
      title="Forgot your password?"
      sub="We send you a link with which you choose a new one."
      foot={<AuthLink to="/auth/login">Back to sign in</AuthLink>}
    >
      {result?.ok ? (
        <Banner kind="ok" role="status">
          If {email.trim()} has an account, a link is on its way. It works for 30 minutes.
        </Banner>
      ) : (
        <Form
          errors={result?.error.fields}
          error={result?.error.fields?.length ? undefined : result?.error.text}
          onSubmit={async () => setResult(await forgotPassword(email.trim()))}
        >
          <TextField
            name="email"
            label="Email"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            value={email}
            onChange={setEmail}
          />
          <SubmitButton wide>Send link</SubmitButton>
        </Form>
      )}
    </AuthFrame>
  );
}
