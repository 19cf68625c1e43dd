import type { Figures, Side } from '#domain/analytics/contract.ts';
import { cn } from '#web/ui/cn.ts';
import { comparedText, formatMetric, metricName, METRICS, type Metric } from './metrics.ts';

type ReportMetricsProps = {
  side: Side;
  /** Totals of the whole range; undefined while they are loading. */
  totals: Figures | undefined;
  /** Those of the period of the same length before. */
  previous: Figures | undefined;
  chosen: Metric;
  onChoose: (metric: Metric) => void;
};

/** The totals of the whole range as toggle buttons; the pressed one selects the chart's metric. */
export function ReportMetrics({ side, totals, previous, chosen, onChoose }: ReportMetricsProps) {
  return (
    <div
      role="group"
      aria-label="Chart metric"
      className="grid grid-cols-1 gap-2 min-[22rem]:grid-cols-2 sm:grid-cols-3 xl:grid-cols-6"
    >
      {METRICS.map((metric) => {
        const isChosen = metric === chosen;
        return (
          <button
            key={metric}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(metric)}
            className={cn(
              'grid min-w-0 content-start gap-0.5 rounded-control border px-3 py-2.5 sm:px-3.5 text-left transition-colors duration-150',
              isChosen
                ? 'border-accent bg-accent-soft/50 inset-ring-1 inset-ring-accent'
                : 'border-line bg-surface hover:border-line-strong hover:bg-sunken',
            )}
          >
            <span className={cn('truncate text-xs', isChosen ? 'font-medium text-accent' : 'text-ink-soft')}>
              {metricName(metric, side)}
            </span>
            <span className="figures truncate font-display text-xl font-semibold tracking-tight">
              {totals ? formatMetric(metric, totals) : '...'}
            </span>
            <span className="line-clamp-2 text-xs text-ink-faint max-sm:min-h-8">
              {totals && previous ? comparedText(metric, totals, previous) : '\u00A0'}
            </span>
          </button>
        );
      })}
    </div>
  );
}
