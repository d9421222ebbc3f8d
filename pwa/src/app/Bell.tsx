/** Owns the bell: how many requests wait, and the way to them (SPEC 2). */
import { Bell as BellIcon } from "lucide-react";
import { Link } from "wouter";
import { Badge } from "../ui";

export function Bell({ requests }: { requests: number }) {
  return (
    <Link
      to="/requests"
      aria-label={requests > 0 ? `Requests, ${requests} pending` : "Requests"}
      title="Requests"
      className="relative grid size-12 shrink-0 place-items-center rounded-full border border-line bg-card transition-colors hover:bg-sunken"
    >
      <BellIcon aria-hidden className="size-[22px]" />
      <Badge
        count={requests}
        label={requests === 1 ? "pending request" : "pending requests"}
        className="absolute -top-[3px] -right-[3px]"
      />
    </Link>
  );
}
