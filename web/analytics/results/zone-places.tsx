import { useQuery } from '@tanstack/react-query';
import { MapPin } from 'lucide-react';
import { calls } from '#domain/analytics/position-calls.ts';
import type { ZonePlaces } from '#domain/analytics/position-contract.ts';
import { MIN_REPORTS } from '#domain/delivery/place.ts';
import { readAll } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PlaceFigures } from '../place-figures.tsx';

/** Where the publisher's ad zones stand on pages, and how long they are in view. */
export function ZonePlacesCard() {
  const { data, isError, refetch } = useQuery(readAll(calls.listPlaces));
  return (
    <Card aria-label="Where your ad zones stand" padded={false} className="min-w-0">
      <CardHeader
        title="Where your ad zones stand"
        description="As one in ten page views measures it. Advertisers read the same on your site’s page and beside their campaigns."
        className="p-inset pb-4"
      />
      {data ? (
        data.length === 0 ? (
          <NothingMeasured />
        ) : (
          <ul className="grid gap-6 px-inset pb-inset">
            {data.map((zone) => (
              <Zone key={zone.zone} {...zone} />
            ))}
          </ul>
        )
      ) : isError ? (
        <div className="px-inset pb-inset">
          <LoadError what="the places" onRetry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton className="mx-inset mb-inset h-32" />
      )}
    </Card>
  );
}

function Zone({ zoneName, websiteName, places }: ZonePlaces) {
  return (
    <li>
      <h3 className="mb-2 font-medium wrap-anywhere">
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>
      </h3>
      {places.length > 0 ? (
        <PlaceFigures places={places} />
      ) : (
        <p className="text-sm text-ink-soft">Fewer than {MIN_REPORTS} page views have been measured yet.</p>
      )}
    </li>
  );
}

function NothingMeasured() {
  return (
    <EmptyState
      title="Nothing measured yet"
      icon={<MapPin aria-hidden="true" />}
      className="mx-inset mb-inset"
    >
      Once your tag is on your pages, one in ten page views measures where the ad zone stands and how long it
      is in view.
    </EmptyState>
  );
}
