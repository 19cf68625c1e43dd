/** The four metrics of a report, for advertisers ('buyer') and publishers ('seller'). */
import type { Bucket, Side } from '#domain/analytics/contract.ts';
import { once } from '#domain/once.ts';
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

/** A count, a percentage or an amount of money. The rate is null if there were no impressions. */
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

/** Formats the metric for display; a dash stands for a missing rate. */
export function formatMetric(metric: Metric, figures: Figures): string {
  const value = valueOf(metric, figures);
  if (value === null) return '–';
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return formatCount(value);
    case 'rate':
      return `${value.toFixed(2)}%`;
    case 'amount':
      return formatMoney(figures.amount);
  }
}

const short = once(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));
/** For the axis of a chart: counts in compact form, money with two decimals [CONST-31] */
export function formatTick(metric: Metric, value: number): string {
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return short().format(value);
    case 'rate':
      return `${Number(value.toFixed(2))}%`;
    case 'amount':
      return formatMoney(value);
  }
}

/** Adds amounts as integer cents, so that the sum is exact. */
export function sumOf(list: readonly Figures[]): Figures {
  return {
    impressions: list.reduce((sum, { impressions }) => sum + impressions, 0),
    clicks: list.reduce((sum, { clicks }) => sum + clicks, 0),
    amount: decimalOf(list.reduce((sum, { amount }) => sum + centsOf(amount), 0)),
  };
}
