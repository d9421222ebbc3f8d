/** Owns the word that nothing comes just now: the account's quiet hours, which the server knows, as far as it can be asked. */
import { useEffect, useState } from "react";
import { useMinute } from "../../browser/clock";
import { formatTime, type PushChoice } from "../../core";
import { listPushChoice } from "../../data/account/push";
import { pushState } from "./subscription";

/** Until what time of day nothing comes, as it is written; nothing where something does. It is asked for once. */
export function useQuietUntil(): string | undefined {
  const now = useMinute();
  const [choice, setChoice] = useState<PushChoice>();
  useEffect(() => void askedFor().then(setChoice), []);
  const hours = choice?.preferences.quiet_hours;
  const isQuiet = hours && choice.quiet_until && now < Date.parse(choice.quiet_until);
  return isQuiet ? formatTime(hours.to) : undefined;
}

/** Only where this phone is told of anything at all. */
async function askedFor(): Promise<PushChoice | undefined> {
  if ((await pushState().catch(() => "unsupported")) !== "on") return undefined;
  const answer = await listPushChoice();
  return answer.ok ? answer.value : undefined;
}
