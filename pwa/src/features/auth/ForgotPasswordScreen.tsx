/** Owns asking for a new password; the answer is the same whether the address is known or not. */
import { useEffect, useState } from "react";
import { forgotPassword, signUpRules } from "../../data/account/signUp";
import { AuthFrame, AuthLink, EmailField, problemOf } from "../../parts/account/AuthFrame";
import { Banner, Form, SubmitButton } from "../../ui";
import { useEmail } from "./email";
import { SIGN_IN_SIDES, type Side } from "./signInSides";

export default function ForgotPasswordScreen({ side = "sitter" }: { side?: Side }) {
  const [email, setEmail] = useEmail();
  const [sent, setSent] = useState(false);
  const sendsMail = useSendsMail();

  const send = async () => {
    const result = await forgotPassword(email.trim());
    setSent(result.ok);
    return problemOf(result);
  };

  return (
    <AuthFrame
      title="Forgot your password?"
      home={SIGN_IN_SIDES[side].home}
      sub={`${sendsMail ? "We send you a link" : "You get a link"} with which you choose a new one.`}
      foot={<AuthLink to="/auth/login">Back to sign in</AuthLink>}
    >
      {sent ? (
        <Banner kind="ok" role="status">
          {sendsMail
            ? `If ${email.trim()} has an account, a link is on its way. It works for 30 minutes.`
            : `If ${email.trim()} has an account, there is a link now. Email isn't set up on this server: ask its administrator for the link. It works for 30 minutes.`}
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

/** True where the server sends mail, and until it has said so. */
function useSendsMail(): boolean {
  const [sendsMail, setSendsMail] = useState(true);
  useEffect(() => {
    let current = true;
    void signUpRules(null).then((it) => current && it && setSendsMail(it.sends_mail));
    return () => {
      current = false;
    };
  }, []);
  return sendsMail;
}
