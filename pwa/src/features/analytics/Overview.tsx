/** Owns the first tab: what is looked at on the way to the next door. */
import { NextMonth, RevenueTrend } from "./charts";
import { Tiles } from "./Tiles";
import type { Analytics } from "./useFigures";

export function Overview({ analytics }: { analytics: Analytics }) {
  return (
    <>
      <Tiles analytics={analytics} />
      <RevenueTrend analytics={analytics} />
      <NextMonth analytics={analytics} />
    </>
  );
}
