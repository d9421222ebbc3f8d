/** Owns the few numbers that are looked at first, each against the days before. */
import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import { Card } from "../../ui";
import type { Analytics } from "./useFigures";
import { dollars, growth, percent } from "./words";

export function Tiles({ analytics: { performance } }: { analytics: Analytics }) {
  const { performanceSummary: now, growthMetrics } = performance;
  return (
    <div className="pair grid gap-3">
      <Tile name="Revenue" value={dollars(now.total_revenue)} growth={growthMetrics.revenue_growth} />
      <Tile name="Services" value={String(now.total_services)} growth={growthMetrics.services_growth} />
      <Tile name="Clients" value={String(now.unique_clients)} growth={growthMetrics.client_growth} />
      <Tile name="Paid" value={percent(now.payment_rate)} more={`${dollars(performance.unpaidAmount)} not yet`} />
    </div>
  );
}

interface TileProps {
  name: string;
  value: string;
  growth?: number | null;
  /** In its place. */
  more?: string;
}

function Tile({ name, value, growth: by, more }: TileProps) {
  return (
    <Card className="grid content-start gap-1">
      <p className="text-14 text-ink-2">{name}</p>
      <p className="num text-20 font-bold wrap-anywhere md:text-28">{value}</p>
      <p className="num flex items-center gap-1 text-14 text-ink-2">
        {more ?? (
          <>
            <Direction by={by} />
            {growth(by)}
          </>
        )}
      </p>
    </Card>
  );
}

function Direction({ by }: { by: number | null | undefined }) {
  const Icon = !by ? Minus : by > 0 ? TrendingUp : TrendingDown;
  return <Icon aria-hidden className="size-4 shrink-0" />;
}
