import type { Ad, AdAvailability } from '#domain/ads/contract.ts';
import { isOverbooked } from '#domain/delivery/availability.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAvailability } from './api.ts';

/** What the place has for the ad, before it is paid: a forecast, and a warning where more is sold than it has. */
export function Availability({ ad }: { ad: Ad }) {
  const { data, isError } = useAvailability(ad.publicId);
  // Nothing hangs on it: who pays without it gets what they buy.
  if (isError) return null;
  if (!data) return <Skeleton className="h-12" />;
  if (!data.isMeasured && data.viewsPerDay <= 1) {
    return <p className="min-h-12 text-sm text-ink-soft">How many people see this place is not known yet.</p>;
  }
  const isLate = data.days !== null && isOverbooked(data.days);
  return (
    <p className={cn('min-h-12 text-sm', isLate ? 'text-warn' : 'text-ink-soft')}>
      {isLate && 'More is sold here than the place has. '}
      {sentence(ad, data)} Estimated from{' '}
      {data.isMeasured ? 'its traffic of the last weeks' : 'what its publisher says of the website'}.
    </p>
  );
}

function sentence(ad: Ad, { viewsPerDay, yoursPerDay, days }: AdAvailability): string {
  const part = yoursPerDay >= viewsPerDay ? 'all' : `about ${formatCount(yoursPerDay)}`;
  const views = `${part} of this place’s ${formatCount(viewsPerDay)} views a day`;
  if (days === null) return `You get ${views}.`;
  const time = days === 1 ? 'about a day' : `about ${formatCount(days)} days`;
  const rate = ad.pricingModel === 'per_click' ? ', at the usual rate of clicks' : '';
  return `Your ${amountText(planOf(ad))} take ${time} with ${views}${rate}.`;
}
