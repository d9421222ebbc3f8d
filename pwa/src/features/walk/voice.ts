/** Owns telling the walker something without the screen: a vibration always, and words aloud where they are wanted. */

import { useSyncExternalStore } from "react";
import { Listeners } from "../../browser/listeners";
import type { Cue, CueKind } from "../../core";

const KEY = "walkies-speech";

/** In milliseconds: on, off, on. What needs a look is longer. */
const VIBRATIONS: Record<CueKind, number[]> = {
  turn: [60],
  straying: [60, 80, 60],
  off_route: [250, 120, 250],
  on_route: [60],
  arrived: [60, 80, 60, 80, 60],
};

const changes = new Listeners();
const speaks = (): boolean => localStorage.getItem(KEY) === "on";

/** True if words are spoken; off until the person asks for it. */
export const useSpeech = (): boolean => useSyncExternalStore(changes.subscribe, speaks);

export const canSpeak = (): boolean => "speechSynthesis" in window;

export function setSpeech(on: boolean): void {
  if (on) {
    localStorage.setItem(KEY, "on");
    // A first word by the person's own hand: without one, phones let no page speak later.
    speak("Directions are spoken");
  } else {
    localStorage.removeItem(KEY);
    speechSynthesis.cancel();
  }
  changes.notify();
}

/** Vibrates, and says the words where they are wanted. */
export function giveCue({ kind, text }: Cue): void {
  navigator.vibrate?.(VIBRATIONS[kind]);
  if (canSpeak() && speaks()) speak(text);
}

/** At a client's door. */
export const cueArrival = (): void => void navigator.vibrate?.(VIBRATIONS.arrived);

function speak(text: string): void {
  // What was not said yet is of a place that lies behind.
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = "en-US";
  speechSynthesis.speak(words);
}
