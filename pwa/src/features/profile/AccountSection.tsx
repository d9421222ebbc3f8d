/** Owns the account: a new password, the way out, and the end of it all. */
import { AtSign, KeyRound, LogOut, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  changePassword,
  endWalkFirst,
  isReloadPreventedAnywhere,
  type Result,
  useSession,
  useSyncStatus,
} from "../../data";
import { NewPasswordField } from "../../parts/account/NewPasswordField";
import { Section } from "../../parts/account/Section";
import { useSignOut } from "../../parts/account/SignOut";
import { Button, Dialog, DialogActions, Form, SubmitButton, TextField, toast } from "../../ui";
import { ChangeEmail } from "./ChangeEmail";
import { DeleteAccount, nameOfDeletion } from "./DeleteAccount";

export function AccountSection() {
  const { online, needsAuth } = useSyncStatus();
  const signOut = useSignOut();
  const { user } = useSession();
  const [open, setOpen] = useState<"password" | "email" | "delete">();
  const close = () => setOpen(undefined);
  const missing = needsAuth ? "Sign in again first." : "There is none right now.";
  const isReachable = online && !needsAuth;
  const askToDelete = async () => {
    if (await isReloadPreventedAnywhere()) toast.info(endWalkFirst("you delete the account"));
    else setOpen("delete");
  };
  return (
    <Section id="profile-account" title="Account">
      <div className="grid gap-2">
        <Button
          kind="quiet"
          icon={<KeyRound aria-hidden className="size-5" />}
          disabled={!isReachable}
          onClick={() => setOpen("password")}
        >
          Change password
        </Button>
        {user?.role === "client" && (
          <Button
            kind="quiet"
            icon={<AtSign aria-hidden className="size-5" />}
            disabled={!isReachable}
            onClick={() => setOpen("email")}
          >
            Change email
          </Button>
        )}
        <Button kind="quiet" icon={<LogOut aria-hidden className="size-5" />} onClick={() => void signOut()}>
          Sign Out
        </Button>
        <Button
          kind="plain"
          icon={<Trash2 aria-hidden className="size-5" />}
          className="text-danger!"
          disabled={!isReachable}
          onClick={() => void askToDelete()}
        >
          {nameOfDeletion(user)}
        </Button>
        {!isReachable && (
          <p role="status" className="text-14 text-ink-2">
            Changing the {user?.role === "client" ? "password or email" : "password"} and deleting the account need a
            connection to Walkies. {missing}
          </p>
        )}
      </div>
      <Dialog open={open === "password"} onClose={close} title="Change password" size="small" dismissible={false}>
        <ChangePassword onDone={close} />
      </Dialog>
      <Dialog open={open === "email"} onClose={close} title="Change email" size="small" dismissible={false}>
        <ChangeEmail onDone={close} />
      </Dialog>
      <Dialog open={open === "delete"} onClose={close} title={nameOfDeletion(user)} size="small" dismissible={false}>
        <DeleteAccount onCancel={close} />
      </Dialog>
    </Section>
  );
}

function ChangePassword({ onDone }: { onDone: () => void }) {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [result, setResult] = useState<Result>({ ok: true });

  const send = async () => {
    const answer = await changePassword(current, next);
    if (answer.ok) {
      toast.success("Password changed");
      onDone();
    } else setResult(answer);
  };
  return (
    <Form
      errors={result.ok ? undefined : result.error.fields}
      error={result.ok || result.error.fields?.length ? undefined : result.error.text}
      onSubmit={send}
    >
      <TextField
        reader="none"
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        autoFocus
        value={current}
        onChange={setCurrent}
      />
      <NewPasswordField name="new_password" label="New password" value={next} onChange={setNext} />
      <p className="text-14 text-ink-2">Your other devices have to sign in again. Unsent changes stay on them.</p>
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <SubmitButton>Change</SubmitButton>
      </DialogActions>
    </Form>
  );
}
