/** Owns what a sitter lets the client know of a visit on its day: that they are on the way, and that it has begun. */
import { MessageSquare } from "lucide-react";
import { useMinute } from "../../browser/clock";
import type { ServiceView } from "../../core";
import { useRead, useSyncStatus } from "../../data";
import { textLink } from "../../parts/contact/contact";
import { SAYS, tellProgress, useStepWaits } from "../../parts/visit/progress";
import { Button, Chip, OutsideLink, Segmented } from "../../ui";
import { type Means, useArrival } from "./wayThere";

const MEANS: { value: Means; label: string }[] = [
  { value: "foot", label: "On foot" },
  { value: "wheels", label: "By car or bicycle" },
  { value: "none", label: "No time" },
];

/** The steps; a text to send where the client is not in the portal. Nothing where clients are not to know, or on another day. */
export function TellProgress({ view }: { view: ServiceView }) {
  const now = useMinute();
  const live = useRead((phone) => phone.liveStatus(view.id, now), view.id, now);
  const steps = useRead((phone) => phone.seenSteps(view.id, now), view.id, now);
  const arrival = useArrival(view.id, now);
  const waits = useStepWaits(view.id);
  const { canSend } = useSyncStatus();
  const text = useRead((phone) => phone.progressText(view.id, now), view.id, now);
  if (!live && steps.length === 0) {
    return (
      text && (
        <section aria-label="On my way" className="grid justify-items-start gap-2">
          <p className="text-14 text-ink-2 wrap-anywhere">{text.told}</p>
          <OutsideLink href={textLink(text.phone, text.words)} icon={<MessageSquare aria-hidden className="size-5" />}>
            Text that you are on your way
          </OutsideLink>
        </section>
      )
    );
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="mb-1 text-14 text-ink-2">
        {waits && !canSend ? "Tell the client: seen once this is sent" : "Tell the client"}
      </legend>
      {arrival && steps.includes("on_the_way") && (
        <div className="grid w-full gap-1">
          <Segmented label="Way there" value={arrival.means} onChange={arrival.choose} options={MEANS} />
          <p className="num text-14 text-ink-2 wrap-anywhere">{arrival.told}</p>
        </div>
      )}
      {live && <Chip kind="ok">{live.text}</Chip>}
      {steps.map((step) => (
        <Button
          key={step}
          kind="quiet"
          onClick={() => void tellProgress(view, step, step === "on_the_way" ? arrival?.minutes : undefined)}
        >
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
