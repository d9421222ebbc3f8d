/** Owns the planned route on the walk: the next turn, what is left, and the voice. */
import { Volume2, VolumeX, X } from "lucide-react";
import type { Guidance } from "../../core";
import { walkTexts } from "../../core/walk";
import { IconButton, toast } from "../../ui";
import { ManeuverIcon } from "../routes/RouteDetail";
import { planRoute, type TrackedWalk } from "./tracker";
import { canSpeak, setSpeech, useSpeech } from "./voice";

export function GuidanceCard({ tracked, guidance }: { tracked: TrackedWalk; guidance: Guidance }) {
  const speaks = useSpeech();
  const { row } = tracked;
  const leave = async () => {
    const { plan } = row;
    await planRoute(undefined);
    toast.info("The walk goes on without a route", { label: "Undo", onAction: () => void planRoute(plan) });
  };
  return (
    <section
      aria-label="Planned route"
      className="overflow-hidden rounded-[22px] border border-line bg-ink text-paper dark:bg-sunken dark:text-ink"
    >
      <div className="flex items-center px-4 pt-2">
        {guidance.is_off ? (
          <OffRoute />
        ) : (
          <div role="status" className="flex min-w-0 flex-1 items-center gap-4 py-1">
            <ManeuverIcon
              maneuver={{ type: guidance.kind, ...(guidance.modifier && { modifier: guidance.modifier }) }}
              className="size-8 shrink-0"
            />
            <div className="min-w-0">
              <p className="line-clamp-2 font-bold text-balance">{guidance.instruction}</p>
              {!guidance.has_arrived && <p className="num text-14 opacity-80">{guidance.when}</p>}
            </div>
          </div>
        )}
      </div>
      <div className="num flex items-center gap-1 pr-1 pl-4 text-12">
        <div
          role="progressbar"
          aria-label="Walked of the route"
          aria-valuenow={Math.round(guidance.progress * 100)}
          className="h-1.5 flex-1 overflow-hidden rounded-full bg-current/25"
        >
          <div className="h-full rounded-full bg-tag" style={{ width: `${guidance.progress * 100}%` }} />
        </div>
        <span className="px-2 opacity-80">{guidance.has_arrived ? "done" : `${guidance.left} left`}</span>
        {canSpeak() && (
          <IconButton
            label={speaks ? "Do not speak directions" : "Speak directions"}
            aria-pressed={speaks}
            className="hover:bg-transparent"
            onClick={() => setSpeech(!speaks)}
          >
            {speaks ? <Volume2 /> : <VolumeX />}
          </IconButton>
        )}
        <IconButton label="Walk without the route" className="hover:bg-transparent" onClick={() => void leave()}>
          <X />
        </IconButton>
      </div>
    </section>
  );
}

/** SPEC 4 and 8. */
function OffRoute() {
  return (
    <p role="alert" className="min-w-0 flex-1 py-1 font-bold text-balance">
      {walkTexts().off_route}
    </p>
  );
}
