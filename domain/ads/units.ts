import { counted, countText } from '../format.ts';
import type { PricingModel } from '../inventory/pricing.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The delivered part of a purchase, such as '1,200 of 10,000 impressions' or 'nothing of 7 days'. */
export function deliveredText(pricingModel: PricingModel, delivered: number, bought: number): string {
  const isTime = pricingModel === 'per_day';
  const part = delivered === 0 ? 'nothing' : isTime ? durationText(delivered) : countText(delivered);
  const whole = isTime
    ? durationText(bought)
    : counted(bought, pricingModel === 'per_click' ? 'click' : 'impression');
  return `${part} of ${whole}`;
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
