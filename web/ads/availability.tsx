import type { Ad, AdAvailability } from '#domain/ads/contract.ts';
import { isOversold } from '#domain/delivery/availability.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAvailability } from './api.ts';

/** A delivery forecast before payment, with a warning if the ad zone is oversold. [DEL-50] */
export function Availability({ ad }: { ad: Ad }) {
  const { data, isError } = useAvailability(ad.publicId);
  // The forecast is optional: the advertiser can pay without it.
  if (isError) return null;
  if (!data) return <Skeleton className="h-12" />;
  if (!data.isMeasured && data.viewsPerDay <= 1) {
    return (
      <p className="min-h-12 text-sm text-ink-soft">There are no traffic figures for this ad zone yet.</p>
    );
  }
  const isLate = data.days !== null && isOversold(data.days);
  return (
    <p className={cn('min-h-12 text-sm', isLate ? 'text-warn' : 'text-ink-soft')}>
      {isLate && 'This ad zone is oversold. '}
      {sentence(ad, data)} Based on{' '}
      {data.isMeasured ? 'its traffic in recent weeks' : 'the publisher’s own traffic figures'}.
    </p>
  );
}

function sentence(ad: Ad, { viewsPerDay, yoursPerDay, days }: AdAvailability): string {
  const part = yoursPerDay >= viewsPerDay ? 'all' : `about ${formatCount(yoursPerDay)}`;
  const views = `${part} of this ad zone’s roughly ${formatCount(viewsPerDay)} daily views`;
  if (days === null) return `Your ad should get ${views}.`;
  const time = days === 1 ? 'about a day' : `about ${formatCount(days)} days`;
  const rate = ad.pricingModel === 'per_click' ? 'At a typical click rate, ' : '';
  return `${rate}${amountText(planOf(ad))} should take ${time} if ${views} go to your ad.`;
}
