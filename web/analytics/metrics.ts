/** The metrics of a report, for advertisers ('buyer') and publishers ('seller'). */
import type { Figures, Side } from '#domain/analytics/contract.ts';
import { once } from '#domain/once.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';

export const METRICS = ['impressions', 'clicks', 'rate', 'cpm', 'cpc', 'amount'] as const;
export type Metric = (typeof METRICS)[number];

/** `cpm` is the cost or the earnings per 1,000 impressions, and `cpc` per click. */
export function metricName(metric: Metric, side: Side): string {
  switch (metric) {
    case 'impressions':
      return 'Impressions';
    case 'clicks':
      return 'Clicks';
    case 'rate':
      return 'Click-through rate';
    case 'cpm':
      return 'CPM';
    case 'cpc':
      return 'CPC';
    case 'amount':
      return side === 'buyer' ? 'Spend' : 'Earnings';
  }
}

/** The name within a sentence. */
export function metricWord(metric: Metric, side: Side): string {
  const name = metricName(metric, side);
  return metric === 'cpm' || metric === 'cpc' ? name : name.toLowerCase();
}

/** A count, a percentage or an amount of money. Rates and costs are null without impressions or clicks. */
export function valueOf(metric: Metric, figures: Figures): number | null {
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return figures[metric];
    case 'rate':
      return figures.ctr === null ? null : figures.ctr * 100;
    case 'cpm':
    case 'cpc':
      return figures[metric] === null ? null : Number(figures[metric]);
    case 'amount':
      return Number(figures.amount);
  }
}

/** Formats the metric for display; a dash stands for a missing rate or cost. */
export function formatMetric(metric: Metric, figures: Figures): string {
  const value = valueOf(metric, figures);
  if (value === null) return '–';
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return formatCount(value);
    case 'rate':
      return `${value.toFixed(2)}%`;
    case 'cpm':
    case 'cpc':
    case 'amount':
      return formatMoney(figures[metric]);
  }
}

/** The metric beside the period before, such as '12% more than $107.50'; 'none before' if there is nothing to compare. */
export function comparedText(metric: Metric, now: Figures, before: Figures): string {
  const [value, previous] = [valueOf(metric, now), valueOf(metric, before)];
  if (previous === null || previous <= 0) return 'none before';
  const text = formatMetric(metric, before);
  if (value === null) return `${text} before`;
  const percent = Math.round((value / previous - 1) * 100);
  if (percent === 0) return `like ${text} before`;
  return `${formatCount(Math.abs(percent))}% ${percent > 0 ? 'more' : 'less'} than ${text}`;
}

const short = once(() => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }));
/** For the axis of a chart: counts in compact form, money with two decimals [TXN-07] */
export function formatTick(metric: Metric, value: number): string {
  switch (metric) {
    case 'impressions':
    case 'clicks':
      return short().format(value);
    case 'rate':
      return `${Number(value.toFixed(2))}%`;
    case 'cpm':
    case 'cpc':
    case 'amount':
      return formatMoney(value);
  }
}
