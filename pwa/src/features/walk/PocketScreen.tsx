/**
 * Owns the dark screen for the pocket: black to save the battery, awake so that the phone goes on saying where it is,
 * and deaf to everything but a long press.
 */
import { useEffect, useRef } from "react";
import type { Guidance, WalkFigures } from "../../core";
import { walkTexts } from "../../core/walk";
import { HoldButton } from "../../ui/HoldButton";

interface PocketScreenProps {
  /** With whom the walk is. */
  name: string;
  figures: WalkFigures;
  /** The planned route, where there is one. */
  guidance: Guidance | undefined;
  paused: boolean;
  onUnlock: () => void;
}

/** Longer than a pocket presses by chance. */
const HOLD_MS = 1200;

export function PocketScreen({ name, figures, guidance, paused, onUnlock }: PocketScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label="Dark screen"
      // Esc and the phone's back gesture are easily made in a pocket.
      onCancel={(event) => event.preventDefault()}
      className="m-0 h-dvh max-h-none w-full max-w-none touch-none bg-black scheme-dark text-white select-none"
    >
      <div className="grid h-full grid-cols-1 grid-rows-[1fr_auto] justify-items-center px-5 pt-safe pb-12">
        <div className="num grid w-full grid-cols-1 content-center justify-items-center gap-2 text-center opacity-80">
          <p className="text-[22vw] leading-none font-bold tracking-tight md:text-[160px]">{figures.time}</p>
          <p className="text-28">{figures.distance}</p>
          <p className="line-clamp-2 max-w-[min(20rem,100%)] text-16 wrap-anywhere">{name}</p>
          {paused && <p className="text-20">Paused</p>}
          {guidance && (
            <div role="status" className="grid max-w-[min(20rem,100%)] grid-cols-1 justify-items-center gap-2 pt-8">
              {guidance.is_off ? (
                <p className="text-20 font-bold text-tag">{walkTexts().off_route}</p>
              ) : (
                <>
                  <p className="text-20 font-bold text-balance">{guidance.instruction}</p>
                  {!guidance.has_arrived && <p className="text-28">{guidance.when}</p>}
                </>
              )}
              {!guidance.has_arrived && <p>{guidance.left} left</p>}
            </div>
          )}
        </div>
        <HoldButton
          kind="quiet"
          holdMs={HOLD_MS}
          className="w-60 max-w-full bg-black!"
          question="Unlock?"
          onHold={onUnlock}
        >
          Hold to unlock
        </HoldButton>
      </div>
    </dialog>
  );
}
