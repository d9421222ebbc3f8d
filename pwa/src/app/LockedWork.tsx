/** Owns the sign that work of an earlier sign-in is locked on this phone with the password of then, and its two ways out. */
import { LockKeyhole } from "lucide-react";
import { useState } from "react";
import { deviceText } from "../browser/device";
import { discardLockedWork, unlockWork } from "../data";
import { Banner, Button, confirm, Dialog, DialogActions, Form, SubmitButton, TextField, toast } from "../ui";

export default function LockedWork() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Banner
        role="status"
        icon={<LockKeyhole aria-hidden />}
        action={
          <button type="button" onClick={() => setOpen(true)}>
            Unlock
          </button>
        }
      >
        {deviceText("Some of your unsent work is locked on this phone with an earlier password.")}
      </Banner>
      <Dialog open={open} onClose={() => setOpen(false)} size="small" title="Unlock your work">
        <Unlock />
      </Dialog>
    </>
  );
}

/** Once it is unlocked nothing is locked any more, and this goes with its sign. */
function Unlock() {
  const [password, setPassword] = useState("");

  const unlock = async () => {
    const { opened, left } = await unlockWork(password);
    if (opened === 0 && left > 0) return { text: "It was locked with another password." };
    if (left === 0) toast.success("Your work is back");
    setPassword("");
    return left === 0 ? undefined : { text: "Part of your work is back. The rest was locked with another password." };
  };
  const discard = async () => {
    const yes = await confirm({
      title: "Discard what is locked?",
      text: "Nobody can bring it back.",
      action: "Discard",
      danger: true,
    });
    if (yes) await discardLockedWork();
  };
  return (
    <Form onSubmit={unlock}>
      <p className="text-ink-2 text-pretty">
        It was locked when you were signed out here. The password that you had then opens it.
      </p>
      <TextField
        reader="none"
        name="password"
        label="Earlier password"
        type="password"
        autoComplete="off"
        value={password}
        onChange={setPassword}
        autoFocus
      />
      <DialogActions>
        <Button kind="plain" className="text-danger!" onClick={() => void discard()}>
          Discard
        </Button>
        <SubmitButton disabled={password === ""}>Unlock</SubmitButton>
      </DialogActions>
    </Form>
  );
}
