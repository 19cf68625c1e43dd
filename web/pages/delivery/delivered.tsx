import type { ReactNode } from 'react';
import { startsOn } from '#domain/ads/booking.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { CampaignResults } from '#web/ads/campaign-results.tsx';
import { DeliveryChart } from '#web/analytics/delivery-chart.tsx';
import { useNow } from '#web/ui/use-now.ts';

/**
 * The results and the delivery of a paid ad. A completed ad that was bought by impressions or clicks has no end date, so the
 * chart ends at its last change.
 */
export function Delivered({ ad, timezone, creatives }: { ad: Ad; timezone: string; creatives?: ReactNode }) {
  const { publicId, startDate, endDate, updatedAt, createdAt, status, impressions, clicks } = ad;
  const hasBegun = startsOn(ad, useNow()) === null;
  const goal = goalOf(impressions, clicks);
  return (
    <DeliveryChart
      campaign={publicId}
      start={hasBegun && startDate ? startDate : createdAt}
      end={status === 'completed' ? (endDate ?? updatedAt) : null}
      goal={goal}
      timezone={timezone}
      results={<CampaignResults adRef={publicId} />}
      creatives={creatives}
    />
  );
}

function goalOf(impressions: number | null, clicks: number | null) {
  if (impressions !== null) return { of: 'impressions' as const, value: impressions };
  return clicks === null ? null : { of: 'clicks' as const, value: clicks };
}
