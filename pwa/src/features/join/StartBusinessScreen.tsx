/** Owns the screen on which a pet parent becomes a sitter, too, with the same email and password. */
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { addRole } from "../../data/account/roles";
import { AuthFrame, AuthLink, problemOf } from "../../parts/account/AuthFrame";
import { Banner, Form, SubmitButton } from "../../ui";
import { GUESSED, TimeZoneField, useSignUp, whyNot } from "../auth";

const SETUP = "/profile/setup";

export default function StartBusinessScreen() {
  const [query] = useSearchParams();
  const invitation = query.get("invitation");
  const closed = whyNot(useSignUp(invitation));
  const [timeZone, setTimeZone] = useState(GUESSED);
  const [, navigate] = useLocation();

  const begin = async () => {
    const result = await addRole("sitter", { time_zone: timeZone, ...(invitation && { invitation }) });
    if (result.ok) navigate(SETUP, { replace: true });
    return problemOf(result);
  };
  return (
    <AuthFrame
      title="Start a business"
      home="/client"
      sub="Walkies for your own pet business, with the email and password that you have. You stay a pet parent, too, and can switch at any time."
      foot={<AuthLink to="/client">Back to my visits</AuthLink>}
    >
      {closed === undefined ? (
        <Form onSubmit={begin}>
          <TimeZoneField value={timeZone} onChange={setTimeZone} />
          <SubmitButton wide>Start a business</SubmitButton>
        </Form>
      ) : (
        <Banner role="status">{closed}</Banner>
      )}
    </AuthFrame>
  );
}
