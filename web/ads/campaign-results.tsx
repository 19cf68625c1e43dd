import { counted } from '#domain/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { FigureGrid } from '#web/ui/figure-grid.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useResults } from './api.ts';

/** The landings and conversions of the measured clicks, and the cost of each. */
export function CampaignResults({ adRef }: { adRef: string }) {
  const { data, isError, refetch } = useResults(adRef);
  if (!data) {
    return isError ? (
      <LoadError what="the landings and conversions" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-16" />
    );
  }
  const { clicks, landings, conversions, value, costPerLanding, costPerConversion, windowDays } = data;
  if (clicks === 0 && conversions === 0) {
    return (
      <p className="text-sm text-ink-soft">
        No landings and conversions are measured yet. ‘Landings’ below says how to measure them.
      </p>
    );
  }
  const costText = (cost: string | null) => (cost === null ? '–' : formatMoney(cost));
  return (
    <section aria-label="Results" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {data.flagged && (
        <Banner tone="warn" title="More conversions than clicks">
          Your page reported {counted(conversions, 'conversion')} from {counted(clicks, 'measured click')}.
          Check that it reports each order once, with its order number.
        </Banner>
      )}
      <FigureGrid
        figures={[
          ['Measured clicks', formatCount(clicks)],
          ['Landings', formatCount(landings)],
          ['Cost per landing', costText(costPerLanding)],
          ['Conversions', formatCount(conversions)],
          ['Cost per conversion', costText(costPerConversion)],
          ['Value', formatMoney(value)],
        ]}
      />
      <p className="text-sm text-ink-soft">
        A conversion counts if it is reported within {windowDays} days of a click on this ad, with the token
        of that click. We can’t see people who come back later without it, change the device, or ask not to be
        tracked.
      </p>
    </section>
  );
}
