import { useState, type ReactNode } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMyWebsites, useZones } from '../api.ts';

/** Lets the publisher choose one of their ad zones by website, and preselects the first one. */
export function ZoneChoice({ children }: { children: (zone: AdZone) => ReactNode }) {
  const websites = useMyWebsites();
  const [websiteId, setWebsiteId] = useState<string>();
  const [zoneId, setZoneId] = useState<string>();
  const website = websites.data?.find(({ publicId }) => publicId === websiteId) ?? websites.data?.[0];
  const zones = useZones(website?.publicId ?? null);
  const zone = zones.data?.find(({ publicId }) => publicId === zoneId) ?? zones.data?.[0];

  if (websites.isError) return <LoadError what="your websites" onRetry={() => void websites.refetch()} />;
  if (!websites.data) return <Skeleton className="h-72" />;
  if (!website) {
    return (
      <EmptyState title="No ad zones yet" action={<ButtonLink href="/ad-zones">My Ad Zones</ButtonLink>}>
        Add a website and create an ad zone. This page then explains which of its ads are shown, and why.
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Website">
          <Select
            value={website.publicId}
            onChange={(event) => setWebsiteId(event.target.value)}
            options={websites.data.map(({ publicId, name }) => ({ value: publicId, label: name }))}
          />
        </Field>
        <Field label="Ad zone">
          <Select
            value={zone?.publicId ?? ''}
            onChange={(event) => setZoneId(event.target.value)}
            placeholder={zone ? undefined : zones.data ? 'No ad zones yet' : '...'}
            options={(zones.data ?? []).map(({ publicId, name }) => ({ value: publicId, label: name }))}
          />
        </Field>
      </div>
      {zone ? (
        children(zone)
      ) : zones.isError ? (
        <LoadError what="the ad zones" onRetry={() => void zones.refetch()} />
      ) : (
        !zones.data && <Skeleton className="h-72" />
      )}
    </div>
  );
}
