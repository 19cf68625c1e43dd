import { counted } from '#domain/format.ts';
import type { Ad, AdAvailability } from '#domain/ads/contract.ts';
import { isOversold } from '#domain/delivery/availability.ts';
import { isUnknown, viewsText, zoneBasisText } from '#domain/delivery/forecast-text.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAvailability } from './api.ts';
import { dayNeedsText } from './day-needs.tsx';
import { LimitedViews } from './limited-views.tsx';

/** A delivery forecast before payment, with a warning if the ad zone is oversold. */
export function Availability({ ad }: { ad: Ad }) {
  const { data, isError } = useAvailability(ad.publicId);
  // The forecast is optional: the advertiser can pay without it.
  if (isError) return null;
  if (!data) return <Skeleton className="h-12" />;
  if (isUnknown(data)) {
    return (
      <div className="grid min-h-12 content-start gap-0.5 text-ink-soft">
        <p>There are no traffic figures for this ad zone yet.</p>
        {data.minDayViews !== null && <p>{dayNeedsText(data.minDayViews)}</p>}
      </div>
    );
  }
  const isLate = data.days !== null && isOversold(data.days);
  return (
    <div className="grid gap-0.5">
      <p>
        This ad zone has{' '}
        <strong className="figures font-semibold">{viewsText(data.viewsPerDay)} a day</strong>,{' '}
        {zoneBasisText(data)}.
      </p>
      {ad.targeting === null ? (
        data.isLimited && (
          <p className="text-ink-soft">The publisher excludes some visitors, so there may be fewer views.</p>
        )
      ) : (
        <LimitedViews availability={data} pricingModel={ad.pricingModel} className="text-ink-soft" />
      )}
      {(ad.targeting === null || data.days !== null) && <p className="text-ink-soft">{sentence(ad, data)}</p>}
      {data.minDayViews !== null && <p className="text-ink-soft">{dayNeedsText(data.minDayViews)}</p>}
      {isLate && (
        <p className="font-medium text-warn">
          {data.limited === null
            ? 'This ad zone is oversold. Your campaign will probably take longer.'
            : 'With these limits, your campaign will probably take longer.'}
        </p>
      )}
    </div>
  );
}

/** An estimate of a longer time has no meaning as a number. */
const MAX_DAYS = 730;
const LONG = 'more than two years';

function sentence(ad: Ad, { yoursPerDay, sharedWith, limited, days }: AdAvailability): string {
  const views =
    limited !== null
      ? 'these'
      : sharedWith === 0
        ? 'all of them'
        : `about ${formatCount(yoursPerDay)} of them, beside ${counted(sharedWith, 'other ad')}`;
  if (days === null) return `Your ad should get ${views}.`;
  const time = days === 1 ? 'about a day' : days > MAX_DAYS ? LONG : `about ${formatCount(days)} days`;
  const rate = ad.pricingModel === 'per_click' ? 'At a typical click rate, ' : '';
  return `${rate}${amountText(planOf(ad))} should take ${time} if your ad gets ${views}.`;
}
