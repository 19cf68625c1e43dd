import { counted } from '#domain/format.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { isPaid } from '#domain/ads/status.ts';
import { outlookOf, progressOf, type Counted, type Outlook, type Running } from '#domain/ads/pace.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { formatCount, formatDate, formatDateTime, formatDay } from '#web/ui/format/format.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

/** The ad in the terms of domain/ads/pace.ts; null until it is paid for. */
function runningOf(ad: Ad): Running | null {
  if (ad.startDate === null || !isPaid(ad.status)) return null;
  return {
    plan: planOf(ad),
    status: ad.status,
    start: new Date(ad.startDate),
    end: ad.endDate === null ? null : new Date(ad.endDate),
    pausedAt: ad.pausedAt === null ? null : new Date(ad.pausedAt),
    ownPauseAt: ad.advertiserPause && new Date(ad.advertiserPause.since),
    silentDays: ad.silentDays,
    delivered: { impressions: ad.totalImpressions, clicks: ad.totalClicks },
  };
}

/** How much of a paid ad is delivered, as a thin bar; nothing before its start and after an early end. */
export function DeliveryBar({ ad, now }: { ad: Ad; now: Date }) {
  const running = runningOf(ad);
  if (!running || isStopped(ad) || startsOn(ad, now) !== null) return null;
  const { done, goal } = progressOf(running, now);
  return (
    <ProgressBar
      value={done}
      max={goal}
      label={ad.title}
      valueText={progressText(running, done, goal)}
      className="mt-0.5 h-1 max-md:hidden"
    />
  );
}

/** The rest of an ad that ended early will never be delivered, so progress would mislead. */
const isStopped = ({ endedReason }: Ad) => endedReason !== null && endedReason !== 'delivered';

type DeliveryProps = {
  ad: Ad;
  /** Counted events of the ad in the last complete days; undefined if they are not known. */
  recent: Counted | undefined;
  now: Date;
};

/** Progress toward the goal, and a forecast of the end; renders nothing until the ad is paid for. */
export function Delivery({ ad, recent, now }: DeliveryProps) {
  const running = runningOf(ad);
  if (!running) return null;
  if (isStopped(ad)) return <p className="text-sm text-ink-soft">Stopped before everything was delivered</p>;
  const day = startsOn(ad, now);
  if (day !== null) return <p className="text-sm text-ink-soft">Starts {formatDay(day)} (00:00 UTC)</p>;
  const { done, goal } = progressOf(running, now);
  const outlook = outlookOf(running, recent, now);
  const text = progressText(running, done, goal);
  return (
    <div className="grid gap-1.5 text-sm">
      <ProgressBar value={done} max={goal} label={ad.title} valueText={text} />
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="figures">{text}</span>
        {outlook && (
          <span className="text-ink-soft first-letter:uppercase">{outlookText(outlook, running)}</span>
        )}
      </p>
    </div>
  );
}

function progressText({ plan, status }: Running, done: number, goal: number): string {
  switch (plan.pricingModel) {
    case 'per_day':
      return status === 'completed'
        ? `${goal} of ${goal} days`
        : `Day ${Math.min(goal, Math.floor(done) + 1)} of ${goal}`;
    case 'per_impression':
      return `${share(done, goal)} of ${formatCount(goal)} views`;
    case 'per_click':
      return `${share(done, goal)} of ${formatCount(goal)} clicks`;
  }
}

/** Rounds down, such as '23%'. Only full delivery gives '100%', and only none gives '0%'. */
function share(done: number, goal: number): string {
  const percent = Math.floor((done / goal) * 100);
  return percent === 0 && done > 0 ? 'Under 1%' : `${percent}%`;
}

function outlookText(outlook: Outlook, { plan }: Running): string {
  const what = plan.pricingModel === 'per_click' ? 'clicks' : 'views';
  switch (outlook.kind) {
    case 'reached':
      return 'delivered in full';
    case 'ends': {
      const until = `runs until ${formatDate(outlook.at.toISOString())}`;
      if (outlook.silentDays === 0) return until;
      return `${until} (extended by ${counted(outlook.silentDays, 'silent day')})`;
    }
    case 'paused': {
      const since = `paused by the publisher since ${formatDateTime(outlook.since.toISOString())}`;
      return outlook.endMoves ? `${since}; the end date moves by the length of the pause` : since;
    }
    case 'paused-by-advertiser':
      return `paused by you since ${formatDateTime(outlook.since.toISOString())}`;
    case 'expected':
      return `on track for ${formatDate(outlook.at.toISOString())}`;
    case 'far':
      return 'more than two years left at this pace';
    case 'silent':
      return outlook.isNew
        ? `no ${what} yet. Check that the website shows the ad zone.`
        : `no ${what} in the last 7 days. Check that the website shows the ad zone.`;
    case 'early':
      return 'just started, too early for a forecast';
  }
}
