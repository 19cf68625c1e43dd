import type { AdPlan, PricingModel } from '../inventory/pricing.ts';

const count = new Intl.NumberFormat('en-US');
const counted = (amount: number, word: string): string =>
  `${count.format(amount)} ${word}${amount === 1 ? '' : 's'}`;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The delivered part of a purchase, such as '1,200 of 10,000 views' or '2 days 3 hours of 7 days'. */
export function deliveredText(pricingModel: PricingModel, delivered: number, bought: number): string {
  switch (pricingModel) {
    case 'per_day':
      return `${durationText(delivered)} of ${durationText(bought)}`;
    case 'per_impression':
      return `${count.format(delivered)} of ${counted(bought, 'impression')}`;
    case 'per_click':
      return `${count.format(delivered)} of ${counted(bought, 'click')}`;
  }
}

/** The amount of a purchase, such as '10,000 impressions' or '7 days'. */
export function boughtText(plan: AdPlan): string {
  switch (plan.pricingModel) {
    case 'per_day':
      return counted(plan.duration, 'day');
    case 'per_impression':
      return counted(plan.impressions, 'impression');
    case 'per_click':
      return counted(plan.clicks, 'click');
  }
}

/** Two units are enough to compare durations: '2 days 3 hours', '5 minutes'. */
function durationText(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / DAY),
    Math.floor((seconds % DAY) / HOUR),
    Math.floor((seconds % HOUR) / MINUTE),
  ];
  const parts =
    days > 0 ? [part(days, 'day'), part(hours, 'hour')] : [part(hours, 'hour'), part(minutes, 'minute')];
  return parts.filter(Boolean).join(' ') || counted(seconds, 'second');
}

const part = (amount: number, word: string): string => (amount === 0 ? '' : counted(amount, word));
