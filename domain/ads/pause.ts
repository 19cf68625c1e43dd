/** How long an advertiser can pause a campaign ahead, and what they read before. */
import { counted, countText } from '../format.ts';
import { type AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, later } from '../time.ts';
import { QUOTA_ENDS_AFTER_MS } from './silence.ts';

export const MAX_PAUSE_DAYS = 90;

/** Why an ad cannot be paused until this time, as a sentence; null if it can. `endDate` is that of an ad by the day. */
export function untilRefusal(until: Date, endDate: Date | null, now: Date): string | null {
  if (until <= now) return 'This time has passed. Choose a later one.';
  if (until > later(now, MAX_PAUSE_DAYS * DAY_MS))
    return `A pause can last at most ${MAX_PAUSE_DAYS} days. Choose an earlier time.`;
  if (endDate && until >= endDate)
    return 'The campaign has ended by then, because its days go on. Choose a time before its end.';
  return null;
}

type Pausable = { plan: AdPlan; impressions: number; clicks: number; start: Date; end: Date | null };

/** The sentence before an advertiser pauses a campaign. `dateText` writes a date for the interface. */
export function pauseSentence(
  { plan, impressions, clicks, start, end }: Pausable,
  dateText: (date: Date) => string,
): string {
  if (plan.pricingModel === 'per_day')
    return `Its days go on, because the place stays yours. The campaign ends on ${dateText(end ?? later(start, plan.duration * DAY_MS))} as before, and the paused days aren’t refunded.`;
  const rest =
    plan.pricingModel === 'per_impression'
      ? restText(plan.impressions - impressions, 'view')
      : restText(plan.clicks - clicks, 'click');
  return `${rest} The campaign still ends on ${dateText(later(start, QUOTA_ENDS_AFTER_MS))} at the latest, and what isn’t delivered by then is refunded.`;
}

const restText = (left: number, unit: string): string =>
  left === 1
    ? `The ${counted(left, unit)} that is left waits.`
    : `The ${countText(left)} ${unit}s that are left wait.`;
