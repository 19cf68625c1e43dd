import { useState } from 'react';
import { Plus } from 'lucide-react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { formatVisitors } from '#domain/inventory/traffic.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useDeleteZone, useZones } from './api.ts';
import { siteHost } from './site-host.ts';
import { ZoneCard } from './zone-card.tsx';
import { ZoneSettingsDialog } from './zone-settings-dialog.tsx';

type WebsiteSectionProps = {
  website: Website;
  /** Absent where zones cannot be created. */
  onAddZone?: () => void;
};

/** One of one's own websites with its zones. */
export function WebsiteSection({ website, onAddZone }: WebsiteSectionProps) {
  return (
    <Card aria-label={website.name}>
      <CardHeader
        title={website.name}
        description={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <a
              href={website.url}
              target="_blank"
              rel="noopener noreferrer"
              className="rounded-tight break-all underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {siteHost(website.url)}
            </a>
            <span aria-hidden="true">·</span>
            <span>{website.category}</span>
            <span aria-hidden="true">·</span>
            <span>{formatVisitors(website.monthlyVisitors)} monthly visitors</span>
            {website.isVerified ? <Badge tone="good">Verified</Badge> : <Badge tone="warn">Unverified</Badge>}
          </span>
        }
        actions={
          onAddZone && (
            <Button variant="secondary" size="sm" onClick={onAddZone}>
              <Plus aria-hidden="true" />
              Add Zone
              <span className="sr-only">to {website.name}</span>
            </Button>
          )
        }
        className="mb-5"
      />
      {!website.isVerified && (
        <p className="mb-5 text-sm text-ink-faint">
          The website counts as verified as soon as one of its zones has been seen on its own pages. Until
          then buyers are told, and its earnings are held.
        </p>
      )}
      <Zones website={website} onAddZone={onAddZone} />
    </Card>
  );
}

type Open = { dialog: 'settings' | 'delete'; zoneId: number };

function Zones({ website, onAddZone }: WebsiteSectionProps) {
  const { data: zones, isError, refetch } = useZones(website.publicId);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  if (isError) return <LoadError what="the ad zones" onRetry={refetch} />;
  if (!zones) return <Skeleton className="h-56 rounded-card" />;
  if (zones.length === 0) {
    return (
      <EmptyState
        title="No ad zones yet"
        className="py-8"
        action={
          onAddZone && (
            <Button variant="lit" onClick={onAddZone}>
              Add the first zone
            </Button>
          )
        }
      >
        An ad zone is a place on your pages that you sell.
      </EmptyState>
    );
  }
  const zone = zones.find(({ id }) => id === open?.zoneId);
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {zones.map((zone) => (
          <ZoneCard
            key={zone.id}
            zone={zone}
            onSettings={() => setOpen({ dialog: 'settings', zoneId: zone.id })}
            onDelete={() => setOpen({ dialog: 'delete', zoneId: zone.id })}
          />
        ))}
      </div>
      {zone && open?.dialog === 'settings' && <ZoneSettingsDialog zone={zone} onClose={close} />}
      {zone && open?.dialog === 'delete' && <DeleteZone zone={zone} onClose={close} />}
    </>
  );
}

function DeleteZone({ zone, onClose }: { zone: AdZone; onClose: () => void }) {
  const remove = useDeleteZone();
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${zone.name}?`}
      confirmLabel="Delete Ad Zone"
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate(zone, { onSettled: onClose })}
    >
      Its embed code stops working, and ads that await your approval are rejected. What it has earned stays.
      This cannot be undone.
    </ConfirmDialog>
  );
}
