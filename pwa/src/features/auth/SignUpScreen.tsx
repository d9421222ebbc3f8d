/** Owns how a new sitter joins: four fields, of which the phone guesses one. */
import { useState } from "react";
import { signUp } from "../../data";
import { Form, Select, SubmitButton, TextField } from "../../ui";
import { AuthFrame, AuthLink, EmailField, problemOf } from "./AuthFrame";
import { useEmail } from "./email";

const GUESSED = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([GUESSED, ...Intl.supportedValuesOf("timeZone")])].map((zone) => ({
  value: zone,
  label: zone.replaceAll("_", " "),
}));

export default function SignUpScreen() {
  const [name, setName] = useState("");
  const [email, setEmail, forgetEmail] = useEmail();
  const [password, setPassword] = useState("");
  const [timeZone, setTimeZone] = useState(GUESSED);

  const join = async () => {
    const result = await signUp({ name, email: email.trim(), password, time_zone: timeZone });
    if (result.ok) forgetEmail();
    return problemOf(result);
  };

  return (
    <AuthFrame
      title="Join as a sitter"
      sub="Your business in your pocket. It starts with sensible services and hours; change them any time."
      foot={
        <>
          <AuthLink to="/auth/login">I have an account</AuthLink>
          <AuthLink to="/">About Walkies</AuthLink>
        </>
      }
    >
      <Form onSubmit={join}>
        <TextField name="name" label="Your name" autoComplete="name" value={name} onChange={setName} />
        <EmailField value={email} onChange={setEmail} />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="A few words that only you put together are best."
          value={password}
          onChange={setPassword}
        />
        <Select
          name="time_zone"
          label="Time zone"
          hint="All times of your business are meant in it."
          value={timeZone}
          onChange={setTimeZone}
          options={ZONES}
        />
        <SubmitButton wide>Create account</SubmitButton>
      </Form>
    </AuthFrame>
  );
}
