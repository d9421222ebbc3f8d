/** Owns asking for the password again, wherever a session alone is not enough. */
import { TextField } from "../../ui";

interface OwnPasswordFieldProps {
  autoFocus?: boolean;
  value: string;
  onChange: (value: string) => void;
}

export function OwnPasswordField(it: OwnPasswordFieldProps) {
  return (
    <TextField
      reader="none"
      name="password"
      label="Your password"
      type="password"
      autoComplete="current-password"
      {...it}
    />
  );
}
