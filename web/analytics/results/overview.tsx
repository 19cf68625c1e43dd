import type { getSeries } from '#domain/analytics/contract.ts';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { addUp, courseOf, fillOf } from '#domain/analytics/yields.ts';
import type { Reply } from '#domain/endpoint.ts';
import { percentText } from '#domain/format.ts';
import { StatCard } from '#web/ui/stat-card.tsx';
import { comparedText, formatMetric, valueOf } from '../metrics.ts';
import { shareText } from './texts.ts';

type OverviewProps = {
  /** Undefined while it loads. */
  series: Reply<typeof getSeries> | undefined;
  zones: readonly ZoneYield[];
};

/** The three figures of the period, each beside the period before and as a line. */
export function Overview({ series: data, zones }: OverviewProps) {
  const { fill } = addUp(zones);
  const figure = (metric: 'amount' | 'cpm', label: string) => (
    <StatCard
      label={label}
      value={data && formatMetric(metric, data.totals)}
      note={data ? comparedText(metric, data.totals, data.previous) : null}
      trend={data?.buckets.map((bucket) => valueOf(metric, bucket) ?? 0)}
    />
  );
  return (
    <section aria-label="The period" className="grid gap-4 md:grid-cols-3">
      {figure('amount', 'Earned')}
      {figure('cpm', 'Per 1,000 views')}
      <StatCard
        label="Fill"
        value={shareText(fill)}
        note={fillNote(zones, fill)}
        trend={courseOf(zones).map((part) => fillOf(part) ?? 0)}
      />
    </section>
  );
}

/** Such as 'up from 52.0%'. */
function fillNote(zones: readonly ZoneYield[], now: number | null): string {
  const sum = (of: 'requests' | 'filled') => zones.reduce((total, { before }) => total + before[of], 0);
  const before = fillOf({ requests: sum('requests'), filled: sum('filled') });
  if (before === null || now === null) return 'none before';
  const text = percentText(before);
  return text === percentText(now) ? `like ${text} before` : `${now > before ? 'up' : 'down'} from ${text}`;
}
