/** Owns the sitter's choice for a client of how photos and events get there while a visit is under way. */
import { type Client, type LiveSharing, setApart } from "../../core";
import { save } from "../../data";
import { Segmented, toast } from "../../ui";
import { ReaderHint } from "../../ui/Readers";

const CHOICES: readonly { value: LiveSharing; label: string; says: string }[] = [
  { value: "off", label: "Off", says: "Nothing is sent before the report." },
  { value: "ask", label: "Ask me", says: "You send each one by a tap on the walk." },
  {
    value: "on",
    label: "On",
    says: "Photos and events are sent as you note them. Notes, and what may be about another client's pet, wait for your tap.",
  },
];

export function LiveChoice({ client }: { client: Client }) {
  const value = client.sends_live ?? "ask";
  return (
    <div className="grid basis-full gap-1">
      <p aria-hidden className="text-14 font-medium">
        Send photos while under way
      </p>
      <Segmented
        label="Send photos while under way"
        value={value}
        onChange={(sends_live) => void choose(client, sends_live)}
        options={CHOICES}
      />
      <p className="text-14 text-ink-2">
        <ReaderHint reader="sitter">{CHOICES.find((it) => it.value === value)?.says}</ReaderHint>
      </p>
    </div>
  );
}

async function choose({ id, name }: Client, sends_live: LiveSharing): Promise<void> {
  try {
    const sentence = `Change what is sent to ${setApart(name)} while under way`;
    const result = await save({ name: "update_client", args: { id, changes: { sends_live } } }, sentence);
    if (!result.ok) toast.error(result.text);
  } catch {
    toast.error("Failed to update client");
  }
}
