/**
 * Owns the choice between two versions of a text about a home or a pet: sitter and pet parent, or two phones, wrote them
 * without having seen each other's, and the row keeps them until somebody decides.
 */
import { type ReactNode, useState } from "react";
import type { Command, TextChoice } from "../../core";
import { save, storageTrouble, useReplica } from "../../data";
import { RelativeTime } from "../../parts/RelativeTime";
import { Banner, Button, Card, toast } from "../../ui";

export function TextChoices({ clientId, heading: Heading }: { clientId: string; heading: "h2" | "h3" }) {
  const choices = useReplica((phone) => phone.textChoices()).filter((it) => it.client_id === clientId);
  if (choices.length === 0) return null;
  return (
    <section aria-label="Texts to decide" className="grid grid-cols-1 gap-3">
      {choices.map((it) => (
        <Choice key={`${it.pet_id ?? ""} ${it.label}`} choice={it} heading={Heading} />
      ))}
    </section>
  );
}

function Choice({ choice, heading: Heading }: { choice: TextChoice; heading: "h2" | "h3" }) {
  const { subject, label, is_shown_to_client, is_given, current, keep, others, keep_all } = choice;
  const [busy, setBusy] = useState<Command>();
  const [problem, setProblem] = useState<string>();
  const decide = async (command: Command) => {
    setBusy(command);
    const sentence = `Decide between versions: ${subject}, ${label}`;
    const said = await save(command, sentence).then((it) => (it.ok ? undefined : it.text), storageTrouble);
    setBusy(undefined);
    setProblem(said);
    if (said === undefined) toast.success("Saved");
  };
  // At the door all versions are shown.
  const now = is_given ? "Your notes" : "Shown now";
  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <Heading className="text-16 font-bold wrap-anywhere">
          <bdi>{subject}</bdi>: {label}, {others.length + 1} versions
        </Heading>
        <p className="text-14 text-ink-2 text-pretty">
          {is_given
            ? "Your client never sees your notes, and you decide."
            : `Each was written without seeing the other. ${is_shown_to_client ? "Both of you see this until one of you decides." : "Only you see this."}`}
        </p>
      </div>
      <Version label={now} text={current} title={now}>
        <Button kind="quiet" busy={busy === keep} onClick={() => void decide(keep)}>
          Keep this one
        </Button>
      </Version>
      {others.map((it) => (
        <Version
          key={it.content}
          label={`By ${it.by}`}
          text={it.content}
          title={
            <>
              By <bdi>{it.by}</bdi>, received <RelativeTime at={it.at} inSentence />
            </>
          }
        >
          <Button kind="quiet" busy={busy === it.choose} onClick={() => void decide(it.choose)}>
            Use this one
          </Button>
        </Version>
      ))}
      {problem && (
        <Banner kind="danger" role="alert">
          {problem}
        </Banner>
      )}
      {keep_all && (
        <Button kind="primary" busy={busy === keep_all} onClick={() => void decide(keep_all)}>
          {others.length > 1 ? "Keep all" : "Keep both"}
        </Button>
      )}
    </Card>
  );
}

interface VersionProps {
  label: string;
  title: ReactNode;
  text: string;
  /** The button that chooses it. */
  children: ReactNode;
}

function Version({ label, title, text, children }: VersionProps) {
  return (
    <div role="group" aria-label={label} className="grid justify-items-start gap-2 rounded-large bg-sunken p-3">
      <p className="num text-14 text-ink-2 wrap-anywhere">{title}</p>
      <p dir="auto" className="w-full whitespace-pre-wrap wrap-anywhere">
        {text || "(empty)"}
      </p>
      {children}
    </div>
  );
}
