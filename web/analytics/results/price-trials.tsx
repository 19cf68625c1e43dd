import { counted } from '#domain/format.ts';
import { TRIAL_DAYS } from '#domain/analytics/price-trials.ts';
import type { ZonePriceTrials } from '#domain/analytics/publisher-contract.ts';
import { MODEL_NAMES } from '#domain/inventory/price-text.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { usePriceTrials } from './api.ts';

/** Sales that higher prices of the ad zone would have lost, by past demand; nothing if too little is known. */
export function PriceTrials({ zone }: { zone: string }) {
  const { data, isError, refetch } = usePriceTrials(zone);
  if (isError) return <LoadError what="what past sales say" onRetry={() => void refetch()} />;
  const told = data?.filter(({ trials }) => trials.length > 0) ?? [];
  if (told.length === 0) return null;
  return (
    <section aria-labelledby="price-trials" className="grid gap-3">
      <div className="grid gap-0.5">
        <h2 id="price-trials" className="font-medium">
          If your prices had been higher
        </h2>
        <p className="text-sm text-ink-faint">
          Based on the ads booked in the last {TRIAL_DAYS} days. The lower end counts only ads whose
          advertiser paid at least that much per unit in the last year, for the same type of ad in an ad zone
          of the same size. The upper end counts all ads.
        </p>
      </div>
      <ul className="grid divide-y divide-line">
        {told.map((each) => (
          <Trials key={each.pricingModel} of={each} />
        ))}
      </ul>
    </section>
  );
}

function Trials({ of: { pricingModel, ads, amount, trials } }: { of: ZonePriceTrials }) {
  return (
    <li className="grid gap-1.5 py-4 first:pt-0 last:pb-0">
      <h3 className="text-sm font-semibold">{MODEL_NAMES[pricingModel]}</h3>
      <p className="text-sm text-ink-soft">
        {counted(ads, 'ad')} earned you {formatMoney(amount)}. With higher prices:
      </p>
      <ul className="grid gap-1 text-sm">
        {trials.map(({ percent, fewest, least, most }) => (
          <li key={percent}>
            <strong className="font-medium">+{percent}%:</strong>{' '}
            {fewest === ads ? `all ${formatCount(ads)}` : `${formatCount(fewest)} to ${formatCount(ads)}`} ads
            bought,{' '}
            <span className="figures">
              {least === most ? formatMoney(most) : `${formatMoney(least)} to ${formatMoney(most)}`}
            </span>{' '}
            earned
          </li>
        ))}
      </ul>
    </li>
  );
}
