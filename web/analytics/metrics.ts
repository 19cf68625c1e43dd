/** The four figures that a report shows, on both sides of a sale. */
import type { Bucket, Side } from '#domain/analytics/contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';

export type Figures = Pick<Bucket, 'impressions' | 'clicks' | 'amount'>;

export const METRICS = ['impressions', 'clicks', 'rate', 'amount'] as const;
export type Metric = (typeof METRICS)[number];

export function metricName(metric: Metric, side: Side): string {
  switch (metric) {
    case 'impressions':
      return 'Impressions';
    case 'clicks':
      return 'Clicks';
    case 'rate':
      return 'Click-through rate';
    case 'amount':
      return side === 'buyer' ? 'Spend' : 'Earnings';
  }
}

/** In counts, per cent, or USD; null where there is none: a rate of no impressions. */
export function valueOf(metric: Metric, { impressions, clicks, amount }: Figures): number | null {
  switch (metric) {
    case 'impressions':
      return impressions;
    case 'clicks':
      return clicks;
    case 'rate':
      return impressions === 0 ? null : (clicks / impressions) * 100;
    case 'amount':
      return Number(amount);
  }
}

/** As people read it; a dash where there is none. */
export function formatMetric(metric: Metric, figures: Figures): string {
  const value = valueOf(metric, figures);
  if (value === null) return '–';
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return formatCount(value);
    case 'rate':
      return `${value.toFixed(2)} %`;
    case 'amount':
      return formatMoney(figures.amount);
  }
}

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** For the axis of a chart: counts short, money with its two decimals as everywhere (CONST-31). */
export function formatTick(metric: Metric, value: number): string {
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return short.format(value);
    case 'rate':
      return `${Number(value.toFixed(2))} %`;
    case 'amount':
      return formatMoney(value);
  }
}

/** Added up to the cent. */
export function sumOf(list: readonly Figures[]): Figures {
  return {
    impressions: list.reduce((sum, { impressions }) => sum + impressions, 0),
    clicks: list.reduce((sum, { clicks }) => sum + clicks, 0),
    amount: decimalOf(list.reduce((sum, { amount }) => sum + centsOf(amount), 0)),
  };
}
