/** Owns asking for a new password; the answer is the same whether the address is known or not. */
import { useState } from "react";
import { forgotPassword } from "../../data/account/signUp";
import { Banner, Form, SubmitButton } from "../../ui";
import { AuthFrame, AuthLink, EmailField, problemOf } from "./AuthFrame";
import { useEmail } from "./email";

export default function ForgotPasswordScreen() {
  const [email, setEmail] = useEmail();
  const [sent, setSent] = useState(false);

  const send = async () => {
    const result = await forgotPassword(email.trim());
    setSent(result.ok);
    return problemOf(result);
  };

  return (
    <AuthFrame
      title="Forgot your password?"
      sub="We send you a link with which you choose a new one."
      foot={<AuthLink to="/auth/login">Back to sign in</AuthLink>}
    >
      {sent ? (
        <Banner kind="ok" role="status">
          If {email.trim()} has an account, a link is on its way. It works for 30 minutes.
        </Banner>
      ) : (
        <Form onSubmit={send}>
          <EmailField value={email} onChange={setEmail} />
          <SubmitButton wide>Send link</SubmitButton>
        </Form>
      )}
    </AuthFrame>
  );
}
