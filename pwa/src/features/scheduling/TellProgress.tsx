/** Owns what a sitter lets the client know of a visit on its day: that they are on the way, and that it has begun. */
import { useMinute } from "../../browser/clock";
import type { ServiceView } from "../../core";
import { useRead, useSyncStatus } from "../../data";
import { SAYS, tellProgress, useStepWaits } from "../../parts/visit/progress";
import { Button, Chip } from "../../ui";

/** Nothing where clients are not to know, where this one is not in the portal, or on another day. */
export function TellProgress({ view }: { view: ServiceView }) {
  const now = useMinute();
  const live = useRead((phone) => phone.liveStatus(view.id, now), view.id, now);
  const steps = useRead((phone) => phone.seenSteps(view.id, now), view.id, now);
  const waits = useStepWaits(view.id);
  const { canSend } = useSyncStatus();
  if (!live && steps.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="mb-1 text-14 text-ink-2">
        {waits && !canSend ? "Tell the client, once this is sent" : "Tell the client"}
      </legend>
      {live && <Chip kind="ok">{live.text}</Chip>}
      {steps.map((step) => (
        <Button key={step} kind="quiet" onClick={() => void tellProgress(view, step)}>
          {SAYS[step]}
        </Button>
      ))}
      {live && (
        <Button kind="plain" onClick={() => void tellProgress(view, null)}>
          Undo
        </Button>
      )}
    </fieldset>
  );
}
