/** Owns the place where a pet parent types the code, or pastes the link, with which a sitter invites them. */
import { useState } from "react";
import { readInvite } from "../../data/portal/portal";
import { Form, type FormProblem, SubmitButton, TextField } from "../../ui";
import { inviteIn, type PendingInvite } from "./pendingInvite";

/** The code in what somebody typed or pasted: a whole message, its link, or the code alone. */
export function codeIn(text: string): string {
  const query = /\?(\S+)/.exec(text)?.[1];
  return inviteIn(new URLSearchParams(query ?? ""))?.code ?? text.trim();
}

export function CodeForm({ onFound }: { onFound: (invite: PendingInvite) => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<FormProblem>();
  const look = async () => {
    const code = codeIn(text);
    const answer = await readInvite(code);
    if (answer.ok) onFound({ client_id: answer.value.client_id, code });
    else setProblem(answer.error);
  };
  return (
    <Form error={problem?.text} onSubmit={look}>
      <TextField
        reader="none"
        name="invitation"
        label="Code or link"
        hint="Your sitter sends it to you. It works for 14 days."
        autoComplete="off"
        autoCapitalize="none"
        value={text}
        onChange={setText}
      />
      <SubmitButton kind="quiet" disabled={text.trim() === ""}>
        Connect
      </SubmitButton>
    </Form>
  );
}
