/** Owns the sign above a list that its plan is nearly full, or is. */
import { Gauge } from "lucide-react";
import { Link } from "wouter";
import type { Limited } from "../../core";
import { useReplica } from "../../data";
import { Banner } from "../../ui";

/** Shows the most urgent of those limits that matter where it is placed. */
export function LimitBanner({ of }: { of: readonly Limited[] }) {
  const usage = useReplica((phone) => phone.billing(Date.now()).usage);
  const told = usage.filter((it) => it.banner && of.includes(it.what));
  const most = told.find((it) => it.status === "at_limit") ?? told[0];
  if (!most) return null;
  return (
    <Banner
      kind={most.status === "at_limit" ? "tag" : "plain"}
      role="status"
      icon={<Gauge aria-hidden />}
      action={<Link to="/billing">See plans</Link>}
    >
      {most.banner}
    </Banner>
  );
}
