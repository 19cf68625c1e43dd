import { bestStep, dayStart, type Days } from '#domain/analytics/days.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMay } from '#web/accounts/membership.ts';
import { useSeries } from '#web/analytics/api.ts';
import { DayStart } from '#web/analytics/day-start.tsx';
import { Agents } from '#web/analytics/results/agents.tsx';
import { useZoneYields } from '#web/analytics/results/api.ts';
import { Overview } from '#web/analytics/results/overview.tsx';
import { ReturnedAdvertisers } from '#web/analytics/results/returned.tsx';
import { PERIODS, usePeriod } from '#web/analytics/results/use-period.ts';
import { WhatToDo } from '#web/analytics/results/what-to-do.tsx';
import { ZoneYields } from '#web/analytics/results/yields.tsx';
import { SiteFaults } from '#web/delivery/faults.tsx';
import { cn } from '#web/ui/cn.ts';
import { Select } from '#web/ui/forms/select.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { ShownTogether } from '../shown-together.tsx';

/** The figures of the period, what to do, and the ad zones. Everything else opens from an ad zone. */
export function ResultsContent() {
  const { timezone } = useSignedInUser();
  const { period, days, choose } = usePeriod(timezone);
  const mayAnswer = useMay('change');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <SiteFaults mayAnswer={mayAnswer} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
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
      </div>
      <ShownTogether>
        <OfZones days={days} />
        <Agents days={days} />
        <ReturnedAdvertisers />
      </ShownTogether>
    </div>
  );
}

function OfZones({ days }: { days: Days }) {
  const { data, isError, isPlaceholderData, refetch } = useZoneYields(days);
  const series = useSeries({ side: 'seller', ...days, step: bestStep(days) });
  if (!data) return isError ? <LoadError what="your ad zones" onRetry={() => void refetch()} /> : null;
  return (
    <div
      className={cn('grid grid-cols-[minmax(0,1fr)] gap-6', isPlaceholderData && 'opacity-60')}
      aria-busy={isPlaceholderData}
    >
      {data.length > 0 && (
        <>
          {series.isError && !series.data ? (
            <LoadError what="your earnings" onRetry={() => void series.refetch()} />
          ) : (
            <Overview series={series.data} zones={data} />
          )}
          <WhatToDo zones={data} />
        </>
      )}
      <ZoneYields zones={data} />
    </div>
  );
}
