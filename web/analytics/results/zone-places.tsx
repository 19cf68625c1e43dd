import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/analytics/position-calls.ts';
import { readAll } from '#web/http/query.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { MIN_REPORTS } from '#domain/delivery/place.ts';
import { PlaceFigures } from '../place-figures.tsx';

/** Where the ad zone stands on pages, and how long it is in view; nothing before the first measured page view. */
export function ZonePlace({ zone }: { zone: string }) {
  const { data, isError, refetch } = useQuery(readAll(calls.listPlaces, { query: { zone } }));
  if (isError) return <LoadError what="where the ad zone stands" onRetry={() => void refetch()} />;
  const measured = data?.[0];
  if (!measured) return null;
  return (
    <section aria-labelledby="zone-place" className="grid gap-3">
      <div className="grid gap-0.5">
        <h2 id="zone-place" className="font-medium">
          Where your ad zone stands
        </h2>
        <p className="text-sm text-ink-faint">
          As one in ten page views measures it. Advertisers read the same on your site’s page and beside their
          campaigns.
        </p>
      </div>
      {measured.places.length > 0 ? (
        <PlaceFigures places={measured.places} />
      ) : (
        <p className="text-sm text-ink-soft">Fewer than {MIN_REPORTS} page views have been measured yet.</p>
      )}
    </section>
  );
}
