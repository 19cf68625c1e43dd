import { counted } from '#domain/format.ts';
import { Tag } from 'lucide-react';
import { MIN_ADS, MIN_ADVERTISERS, TRIAL_DAYS } from '#domain/analytics/price-trials.ts';
import type { ZonePriceTrials } from '#domain/analytics/publisher-contract.ts';
import { MODEL_NAMES } from '#domain/inventory/price-text.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { usePriceTrials } from './api.ts';

/** What higher prices would have lost, by past demand. */
export function PriceTrials() {
  const { data, isError, refetch } = usePriceTrials();
  return (
    <Card aria-label="If your prices had been higher" className="min-w-0">
      <CardHeader
        title="If your prices had been higher"
        description={`Based on the ads booked in the last ${TRIAL_DAYS} days. We can’t know what each advertiser would have paid, so you see a range. The lower end counts only ads whose advertiser paid at least that much per unit in the last year, for the same type of ad in an ad zone of the same size. The upper end counts all ads.`}
        className="mb-4"
      />
      {data ? (
        data.length === 0 ? (
          <EmptyState
            title={`Nothing was bought in the last ${TRIAL_DAYS} days`}
            icon={<Tag aria-hidden="true" />}
            action={
              <ButtonLink href="/ad-zones" variant="secondary">
                Check your prices
              </ButtonLink>
            }
          >
            My Ad Zones suggests a price for each ad zone.
          </EmptyState>
        ) : (
          <TrialList trials={data} />
        )
      ) : isError ? (
        <LoadError what="the prices" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-32" />
      )}
    </Card>
  );
}

/** What is too little to say anything stands below, in one sentence. */
function TrialList({ trials }: { trials: ZonePriceTrials[] }) {
  const told = trials.filter((each) => each.trials.length > 0);
  const untold = trials.length - told.length;
  return (
    <>
      {told.length > 0 && (
        <ul className="mb-4 grid divide-y divide-line last:mb-0">
          {told.map((each) => (
            <Trials key={`${each.zone} ${each.pricingModel}`} of={each} />
          ))}
        </ul>
      )}
      {untold > 0 && (
        <p className="text-sm text-ink-soft">
          {counted(untold, told.length > 0 ? 'other price' : 'price')}: too few ads to say. We need {MIN_ADS}{' '}
          ads from {MIN_ADVERTISERS} advertisers.
        </p>
      )}
    </>
  );
}

function Trials({
  of: { zoneName, websiteName, pricingModel, ads, amount, trials },
}: {
  of: ZonePriceTrials;
}) {
  return (
    <li className="grid gap-1.5 py-4 first:pt-0 last:pb-0">
      <h3 className="text-sm font-semibold wrap-anywhere">
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>{' '}
        <span className="font-normal text-ink-soft">· {MODEL_NAMES[pricingModel]}</span>
      </h3>
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
