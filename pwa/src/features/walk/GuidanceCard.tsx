/** Owns the planned route on the walk: the next turn, what is left, the way back for one who left it, and the voice. */
import { Route as RouteIcon, Volume2, VolumeX, X } from "lucide-react";
import { useState } from "react";
import type { Guidance, Place } from "../../core";
import { walkTexts } from "../../core/walk";
import { ManeuverIcon } from "../../parts/ManeuverIcon";
import { IconButton, Spinner, toast } from "../../ui";
import { planRoute, type TrackedWalk } from "./tracker";
import { canSpeak, setSpeech, useSpeech } from "./voice";

export function GuidanceCard({ tracked, guidance }: { tracked: TrackedWalk; guidance: Guidance }) {
  const speaks = useSpeech();
  const { row, walk } = tracked;
  const here = walk.here?.place;
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
          <OffRoute tracked={tracked} here={here} guidance={guidance} />
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

interface OffRouteProps {
  tracked: TrackedWalk;
  here: Place | undefined;
  guidance: Guidance;
}

/** SPEC 4 and 8: the warning, and a way back that keeps the time that is left. */
function OffRoute({ tracked: { row }, here, guidance }: OffRouteProps) {
  const [busy, setBusy] = useState(false);
  const { plan } = row;
  const find = async () => {
    if (!plan?.request || !here) return;
    setBusy(true);
    try {
      const { findWayBack } = await import("../../map/search");
      const answer = await findWayBack({ from: here, seconds: guidance.seconds_left, request: plan.request });
      if (answer.status === "ok") await planRoute({ route: answer.value, request: plan.request });
      else toast.error(answer.error.text);
    } catch {
      toast.error("No way back could be found. The map shows your route.");
    }
    setBusy(false);
  };
  return (
    <div role="alert" className="grid min-w-0 flex-1 gap-1 py-1">
      <p className="font-bold text-balance">{walkTexts().off_route}</p>
      {plan?.request && here && (
        <button
          type="button"
          disabled={busy}
          className="hit inline-flex items-center gap-2 justify-self-start text-14 font-bold underline underline-offset-2"
          onClick={() => void find()}
        >
          {busy ? (
            <Spinner className="[&_svg]:size-4" label="Looking for a way back" />
          ) : (
            <RouteIcon aria-hidden className="size-4" />
          )}
          Find a way back
        </button>
      )}
    </div>
  );
}
