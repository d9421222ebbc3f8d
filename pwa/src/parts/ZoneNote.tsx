/** Owns the word about times where this device's clock shows another hour than the business's. */
import { Clock } from "lucide-react";
import { useMinute } from "../browser/clock";
import { useReplica } from "../data";

/** The hour and the name of a time zone at a moment; nothing where this browser does not know the zone. */
function clockIn(zone: string | undefined, at: number): { hour: string; name: string } | undefined {
  const parts = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options }).formatToParts(at);
  try {
    const hour = parts({ dateStyle: "short", timeStyle: "short" }).map((it) => it.value);
    const name = parts({ timeZoneName: "longGeneric" }).find((it) => it.type === "timeZoneName");
    return { hour: hour.join(""), name: name?.value ?? "" };
  } catch {
    return undefined;
  }
}

/** For a pet parent. */
export function ZoneNote() {
  const now = useMinute();
  const zone = useReplica((phone) => phone.sitter()?.time_zone);
  const theirs = zone && clockIn(zone, now);
  if (!theirs || theirs.hour === clockIn(undefined, now)?.hour) return null;
  return (
    <p className="flex items-center gap-2 text-14 text-ink-2">
      <Clock aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">Times are in {theirs.name}.</span>
    </p>
  );
}
