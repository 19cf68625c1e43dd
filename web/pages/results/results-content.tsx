import { useSignedInUser } from '#web/accounts/current-user.ts';
import { dayStart } from '#domain/analytics/days.ts';
import { DayStart } from '#web/analytics/day-start.tsx';
import { useMay } from '#web/accounts/membership.ts';
import { ByPageCard } from '#web/analytics/results/by-page.tsx';
import { HoursWithoutTagCard } from '#web/analytics/results/hours-without-tag.tsx';
import { PriceTrials } from '#web/analytics/results/price-trials.tsx';
import { ReturnedAdvertisers } from '#web/analytics/results/returned.tsx';
import { TwoCountsCard } from '#web/analytics/results/two-counts.tsx';
import { PERIODS, usePeriod } from '#web/analytics/results/use-period.ts';
import { ZoneYields } from '#web/analytics/results/yields.tsx';
import { ZonePlacesCard } from '#web/analytics/results/zone-places.tsx';
import { SiteFaults } from '#web/delivery/faults.tsx';
import { useMyWebsites } from '#web/inventory/api.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { ShownTogether } from '../shown-together.tsx';

/** The sections of the page, and the period of those that have one. */
export function ResultsContent() {
  const { timezone } = useSignedInUser();
  const { period, days, choose } = usePeriod(timezone);
  const websites = useMyWebsites();
  const mayAnswer = useMay('change');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <SiteFaults mayAnswer={mayAnswer} />
      <Select
        aria-label="Period"
        value={String(period)}
        onChange={(event) => choose(Number(event.target.value))}
        options={PERIODS.map((each) => ({ value: String(each), label: `Last ${each} days` }))}
        className="w-44"
      />
      <p className="text-sm text-ink-soft empty:hidden">
        <DayStart timezone={timezone} start={dayStart(timezone, days)} />
      </p>
      <ShownTogether>
        <ZoneYields days={days} />
        <ByPageCard days={days} />
        <ZonePlacesCard />
        <HoursWithoutTagCard days={days} />
        <PriceTrials />
        <ReturnedAdvertisers />
        <TwoCountsCard days={days} websites={websites.data ?? []} />
      </ShownTogether>
    </div>
  );
}
