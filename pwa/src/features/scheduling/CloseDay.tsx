/** Owns 'Close the day': one list of what is still open today and before, each to be completed, cancelled or left open. */
import { CheckCheck } from "lucide-react";
import { useState } from "react";
import { useMinute } from "../../browser/clock";
import type { Command, OpenService } from "../../core";
import { canSendNow, useRead } from "../../data";
import { useServicesUnderWay } from "../../data/walks/walks";
import { countVisits, dogNames, lateWord } from "../../parts/visit/visitText";
import { Button, Chip, Dialog, DialogActions, EmptyState, Form, Segmented, SubmitButton } from "../../ui";
import { saveActs } from "./several/saveSeveral";

type Way = "complete" | "cancel" | "leave";

const WAYS: { value: Way; label: string }[] = [
  { value: "complete", label: "Complete" },
  { value: "cancel", label: "Cancel" },
  { value: "leave", label: "Leave open" },
];

const marking = (marked: string[], status: "completed" | "cancelled"): Command => ({
  name: "mark_services",
  args: { marked, status, was: "scheduled" },
});

export default function CloseDay({ onClose }: { onClose: () => void }) {
  const now = useMinute();
  const underWay = useServicesUnderWay();
  const { services, left } = useRead((phone) => phone.closeDay(underWay, now), underWay.join(), now);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Close the day"
      sub={services.length > 0 && `${countVisits(services.length)} still open`}
    >
      {services.length === 0 ? (
        <EmptyState
          icon={<CheckCheck aria-hidden />}
          title="Nothing to mark right now"
          action={<Button onClick={onClose}>Close</Button>}
        >
          {left}
        </EmptyState>
      ) : (
        <OpenServices services={services} left={left} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface OpenServicesProps {
  services: readonly OpenService[];
  left: string;
  onClose: () => void;
}

function OpenServices({ services, left, onClose }: OpenServicesProps) {
  const now = useMinute();
  const [ways, setWays] = useState<Readonly<Record<string, Way>>>({});
  const wayOf = (it: OpenService): Way => ways[it.id] ?? (it.is_over ? "complete" : "leave");
  const setAll = (way: Way) => setWays(Object.fromEntries(services.map(({ id }) => [id, way])));
  const going = (way: Way) => services.filter((it) => wayOf(it) === way).map(({ id }) => id);
  const [done, off] = [going("complete"), going("cancel")];
  const told = useRead(
    (phone) => (off.length > 0 ? phone.previewServices(marking(off, "cancelled"), canSendNow(), now).told : ""),
    off.join(),
    now,
  );
  const acts = [
    ...(done.length > 0 ? [{ verb: "Complete", ids: done, command: marking(done, "completed") }] : []),
    ...(off.length > 0 ? [{ verb: "Cancel", ids: off, command: marking(off, "cancelled") }] : []),
  ];
  const says = acts.map(({ verb, ids }) => `${verb} ${countVisits(ids.length)}`);
  const submit = async () => {
    const result = await saveActs(acts.map(({ command }, n) => ({ command, sentence: says[n] ?? "" })));
    if (!result.ok) return result;
    onClose();
    return undefined;
  };
  return (
    <Form onSubmit={submit} failed="Failed to close the day">
      <div className="flex flex-wrap gap-2">
        {WAYS.slice(0, 2).map(({ value, label }) => (
          <Button key={value} kind="quiet" onClick={() => setAll(value)}>
            {label} all
          </Button>
        ))}
      </div>
      <ul className="grid grid-cols-1 gap-4">
        {services.map((it) => (
          <li key={it.id} className="grid grid-cols-1 gap-2">
            <p className="num wrap-anywhere">
              <span className="font-bold">{dogNames(it)}</span>, <bdi>{it.client_name}</bdi>
              <span className="block text-14 text-ink-2">
                {it.day}, {it.formatted_time} {lateWord(it) && <Chip kind="tag">{lateWord(it)}</Chip>}
              </span>
            </p>
            <Segmented
              label={`${dogNames(it)}, ${it.day}, ${it.formatted_time}`}
              value={wayOf(it)}
              onChange={(way) => setWays({ ...ways, [it.id]: way })}
              options={WAYS}
            />
          </li>
        ))}
      </ul>
      {left && <p className="num text-14 text-ink-2">{left}</p>}
      {told && <p className="text-14 text-ink-2 wrap-anywhere">{told}</p>}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Back
        </Button>
        <SubmitButton disabled={acts.length === 0}>{says.join(", ") || "Complete"}</SubmitButton>
      </DialogActions>
    </Form>
  );
}
