import { startsOn } from '#domain/ads/booking.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { onDemand } from '#web/ui/on-demand.tsx';
import { useNow } from '#web/ui/use-now.ts';

const DeliveryChart = onDemand(
  'the delivery',
  'h-96',
  async () => (await import('#web/analytics/delivery-chart.tsx')).DeliveryChart,
);

/**
 * The delivery of a paid ad over time. A completed ad that was bought by impressions or clicks has no end date, so the
 * chart ends at its last change.
 */
export function Delivered({ ad, timezone }: { ad: Ad; timezone: string }) {
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
    />
  );
}

function goalOf(impressions: number | null, clicks: number | null) {
  if (impressions !== null) return { of: 'impressions' as const, value: impressions };
  return clicks === null ? null : { of: 'clicks' as const, value: clicks };
}
