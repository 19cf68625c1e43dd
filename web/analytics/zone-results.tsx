import { LoadError } from '#web/ui/load-error.tsx';
import { useZoneResults } from './api.ts';

/** The landings and conversions of an ad zone, as ranges that tell nothing about one visitor. */
export function ZoneResults({ zone }: { zone: string }) {
  const { data, isError, refetch } = useZoneResults(zone);
  if (!data) return isError ? <LoadError what="the results" onRetry={() => void refetch()} /> : null;
  return (
    <p className="text-sm text-ink-soft">
      Since this ad zone began, advertisers reported landings:{' '}
      <strong className="font-medium text-ink">{data.landings}</strong>, and conversions:{' '}
      <strong className="font-medium text-ink">{data.conversions}</strong>. Only advertisers who measure them
      report any.
    </p>
  );
}
