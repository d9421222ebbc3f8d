/** Owns choosing a password, wherever one is chosen: what it must be is said before it is typed. */
import { limits } from "../../core";
import { TextField } from "../../ui";

interface NewPasswordFieldProps {
  /** As the server names it in what is wrong. */
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function NewPasswordField(it: NewPasswordFieldProps) {
  return (
    <TextField
      reader="none"
      type="password"
      autoComplete="new-password"
      hint={`At least ${limits().min_password_length} characters. A few words that only you put together are best.`}
      {...it}
    />
  );
}
