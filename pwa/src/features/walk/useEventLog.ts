/** Owns noting what happens on a walk: with a buzz, since the eye is elsewhere, and asking which dogs it is of. */
import { useState } from "react";
import type { WalkEventKind } from "../../core/walk";
import { storageTrouble } from "../../data";
import { preparePhoto } from "../../data/photos/preparePhoto";
import { sendAtOnce } from "./live";
import * as tracker from "./tracker";

/** Long enough to be felt through a glove, in ms. */
const BUZZ_MS = 20;

export type EventLog = ReturnType<typeof useEventLog>;

export function useEventLog() {
  /** The event of which it is asked which dogs it is of. */
  const [asked, setAsked] = useState<string>();
  /** Why the last photo was not taken. */
  const [trouble, setTrouble] = useState<string>();
  const takePhoto = async (file: File | undefined) => {
    if (!file) return;
    const prepared = await preparePhoto(file);
    if (!prepared.ok) return setTrouble(prepared.text);
    try {
      const id = await tracker.logPhoto(prepared.photo);
      setAsked(id);
      setTrouble(undefined);
      void sendAtOnce(id);
    } catch (error) {
      setTrouble(storageTrouble(error));
    }
  };
  const log = (kind: WalkEventKind) => {
    navigator.vibrate?.(BUZZ_MS);
    void tracker.logEvent(kind).then((id) => {
      setAsked(id);
      void sendAtOnce(id);
    });
  };
  return { asked, setAsked, trouble, takePhoto, log };
}
