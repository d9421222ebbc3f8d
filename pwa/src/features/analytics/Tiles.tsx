/** Owns the few numbers that are looked at first, each against the days before. */
import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import { Card } from "../../ui";
import type { Analytics } from "./useFigures";
import { counted, dollars, percent } from "./words";

export function Tiles({ analytics: { performance, sentences } }: { analytics: Analytics }) {
  const { performanceSummary: now, growthMetrics } = performance;
  return (
    <div className="pair grid gap-3 xl:grid-cols-4">
      <Tile
        name="Revenue"
        value={dollars(now.total_revenue)}
        growth={growthMetrics.revenue_growth}
        more={sentences.revenueGrowth}
      />
      <Tile
        name="Services"
        value={counted(now.total_services)}
        growth={growthMetrics.services_growth}
        more={sentences.servicesGrowth}
      />
      <Tile
        name="Clients"
        value={counted(now.unique_clients)}
        growth={growthMetrics.client_growth}
        more={sentences.clientGrowth}
      />
      <Tile name="Paid" value={percent(now.payment_rate)} more={`${dollars(performance.unpaidAmount)} unpaid`} />
    </div>
  );
}

interface TileProps {
  name: string;
  value: string;
  /** Against the days before; an arrow shows which way. */
  growth?: number | null;
  more: string;
}

function Tile({ name, value, growth: by, more }: TileProps) {
  return (
    <Card className="grid content-start gap-1">
      <p className="text-14 text-ink-2">{name}</p>
      <p className="num text-20 font-bold wrap-anywhere md:text-28">{value}</p>
      <p className="num flex items-center gap-1 text-14 text-ink-2">
        {by !== undefined && <Direction by={by} />}
        {more}
      </p>
    </Card>
  );
}

function Direction({ by }: { by: number | null }) {
  const Icon = !by ? Minus : by > 0 ? TrendingUp : TrendingDown;
  return <Icon aria-hidden className="size-4 shrink-0" />;
}
