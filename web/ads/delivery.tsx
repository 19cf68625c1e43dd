import type { Ad } from '#domain/ads/contract.ts';
import { outlookOf, progressOf, type Counted, type Outlook, type Running } from '#domain/ads/pace.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { formatCount, formatDate, formatDateTime } from '#web/ui/format/format.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

/** What was counted for an ad in the last complete days; undefined while that is not known. */
export type RecentOf = (ad: Ad) => Counted | undefined;

/** The ad as the rules of its delivery see it; null while it is not paid. */
function runningOf(ad: Ad): Running | null {
  if (ad.startDate === null) return null;
  return {
    plan: planOf(ad),
    status: ad.status,
    start: new Date(ad.startDate),
    end: ad.endDate === null ? null : new Date(ad.endDate),
    pausedAt: ad.pausedAt === null ? null : new Date(ad.pausedAt),
    silentDays: ad.silentDays,
    delivered: { impressions: ad.totalImpressions, clicks: ad.totalClicks },
  };
}

type DeliveryProps = { ad: Ad; recentOf: RecentOf; now: Date };

/** How much of what was bought is delivered, and when it will be all; nothing while the ad is not paid. */
export function Delivery({ ad, recentOf, now }: DeliveryProps) {
  const running = runningOf(ad);
  if (!running) return null;
  // What is left of it will not be delivered, so there is nothing to measure against.
  if (ad.takenDownReason !== null)
    return <span className="text-xs text-ink-faint">Ended before all was delivered</span>;
  const { done, goal } = progressOf(running, now);
  const outlook = outlookOf(running, recentOf(ad), now);
  const text = progressText(running, done, goal);
  return (
    <span className="grid gap-1">
      <ProgressBar value={done} max={goal} label={`${ad.title}: ${text}`} className="my-0.5" />
      <span className="text-xs">
        <span className="figures md:block">{text}</span>
        {outlook && (
          <>
            <span aria-hidden="true" className="text-ink-faint md:hidden">
              {' · '}
            </span>
            <span className="text-ink-faint first-letter:uppercase md:block">
              {outlookText(outlook, running)}
            </span>
          </>
        )}
      </span>
    </span>
  );
}

function progressText({ plan, status }: Running, done: number, goal: number): string {
  switch (plan.pricingModel) {
    case 'per_day':
      return status === 'completed' ? `${goal} of ${goal} days` : `Day ${done} of ${goal}`;
    case 'per_impression':
      return `${share(done, goal)} of ${formatCount(goal)} impressions`;
    case 'per_click':
      return `${share(done, goal)} of ${formatCount(goal)} clicks`;
  }
}

/** Rounded down: only all is 100 %, and only nothing 0 %. */
function share(done: number, goal: number): string {
  const percent = Math.floor((done / goal) * 100);
  return percent === 0 && done > 0 ? 'Under 1 %' : `${percent} %`;
}

function outlookText(outlook: Outlook, { plan }: Running): string {
  const what = plan.pricingModel === 'per_click' ? 'clicks' : 'impressions';
  switch (outlook.kind) {
    case 'reached':
      return 'delivered in full';
    case 'ends': {
      const until = `runs until ${formatDate(outlook.at.toISOString())}`;
      if (outlook.silentDays === 0) return until;
      return `${until}; the website asked for no ads for ${givenAgain(outlook.silentDays)} given again`;
    }
    case 'paused': {
      const since = `paused since ${formatDateTime(outlook.since.toISOString())} by the publisher`;
      return outlook.endMoves ? `${since}; its end moves accordingly` : since;
    }
    case 'expected':
      return `at this pace reached on ${formatDate(outlook.at.toISOString())}`;
    case 'far':
      return 'at this pace it takes more than two years';
    case 'silent':
      return outlook.isNew
        ? `no ${what} yet: check that the website shows its zone`
        : `no ${what} in the last 7 days: check that the website shows its zone`;
    case 'early':
      return 'just started: too early for a forecast';
  }
}

function givenAgain(days: number): string {
  return days === 1 ? 'a day, which is' : `${formatCount(days)} days, which are`;
}
