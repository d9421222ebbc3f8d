/** Owns the question before a client is made inactive: what is to come, and whether that stays or ends. */
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import type { Client, Deactivation } from "../../core";
import { useRead } from "../../data";
import { Button, Dialog, DialogActions, Form, Segmented, SubmitButton } from "../../ui";
import { deactivate } from "./inactive";

type Choice = "end" | "keep";

const CHOICES: readonly { value: Choice; label: string }[] = [
  { value: "end", label: "End and cancel" },
  { value: "keep", label: "Keep them" },
];

export function DeactivateDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const now = useMinute();
  const shown = useRead((phone) => phone.deactivation(client.id, now), client.id, now);
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={
        <>
          Make <bdi>{client.name}</bdi> inactive?
        </>
      }
      sub="Inactive clients are hidden from lists until you search for them. Their history and unbilled visits are kept, and you can make them active again at any time."
    >
      {shown && <Body client={client} shown={shown} onClose={onClose} />}
    </Dialog>
  );
}

interface BodyProps {
  client: Client;
  shown: Deactivation;
  onClose: () => void;
}

function Body({ client, shown: { to_come, remarks, keep, end }, onClose }: BodyProps) {
  const [choice, setChoice] = useState<Choice>("end");
  const act = choice === "end" && end ? end : keep;
  const send = async () => {
    const text = await deactivate(client, act);
    if (text) return { text };
    onClose();
    return undefined;
  };
  return (
    <Form onSubmit={send} failed="Failed to update client">
      {to_come.length > 0 ? (
        <section aria-label="To come" className="grid gap-1">
          <h3 className="font-bold">To come</h3>
          <ul className="num list-disc pl-5">
            {to_come.map((it) => (
              <li key={it} className="wrap-anywhere">
                {it}
              </li>
            ))}
          </ul>
        </section>
      ) : (
        <p className="text-ink-2">Nothing is to come.</p>
      )}
      {end && (
        <div className="grid gap-2">
          <Segmented label="Visits and series to come" value={choice} onChange={setChoice} options={CHOICES} />
          <p role="status" className="num text-14 text-ink-2 text-pretty">
            {choice === "end"
              ? `When this is done: ${end.done}`
              : "They stay in your schedule. No more visits of a series are made while the client is inactive."}
          </p>
        </div>
      )}
      {remarks.map((it) => (
        <p key={it} className="text-14 text-ink-2 text-pretty wrap-anywhere">
          {it}
        </p>
      ))}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Make inactive</SubmitButton>
      </DialogActions>
    </Form>
  );
}
