import { useSignedInUser } from '#web/accounts/current-user.ts';
import { ByPage } from '#web/analytics/results/by-page.tsx';
import { ZoneHoursWithoutTag } from '#web/analytics/results/hours-without-tag.tsx';
import { TwoCountsFold } from '#web/analytics/results/two-counts.tsx';
import { useLastDays } from '#web/analytics/results/use-period.ts';
import { ZonePlace } from '#web/analytics/results/zone-places.tsx';

/** Visitors of one ad zone in the last 30 days. A section without data does not exist. */
export function AboutVisitors({ zone, website }: { zone: string; website: string }) {
  const days = useLastDays(useSignedInUser().timezone);
  return (
    <>
      <ZonePlace zone={zone} />
      <ByPage zone={zone} days={days} />
      <ZoneHoursWithoutTag zone={zone} days={days} />
      <TwoCountsFold website={website} days={days} />
    </>
  );
}
