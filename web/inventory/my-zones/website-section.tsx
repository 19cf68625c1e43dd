import { useState, type ReactNode } from 'react';
import { BadgeCheck, Plus } from 'lucide-react';
import { measuredText } from '#domain/delivery/forecast-text.ts';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { formatVisitors } from '#domain/inventory/traffic.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { usePortion } from '#web/ui/use-portion.ts';
import { useDeleteZone, useZones } from '../api.ts';
import { WebsitePicture } from '../website-picture.tsx';
import type { DrawHouseAd } from './house-ad-section.tsx';
import { OwnershipDialog } from './ownership-dialog.tsx';
import { zoneAnchor, ZoneRow } from './zone-row.tsx';

const ZoneSettingsDialog = onDemand(
  'the settings',
  'hidden',
  async () => (await import('./zone-settings-dialog.tsx')).ZoneSettingsDialog,
);

/** Ad zones per page, also for each 'Show more'. */
const ZONES_AT_ONCE = 10;

type WebsiteSectionProps = {
  website: Website;
  /** Undefined if the user may not create ad zones. */
  onAddZone?: () => void;
  /** The zone anchor in the page's address; '' if there is none. */
  targetAnchor: string;
  drawHouseAd: DrawHouseAd;
  /** Renders the diagnostic tools of an ad zone. */
  renderTools: (zone: AdZone, website: Website) => ReactNode;
};

/** A website of the publisher with its ad zones. */
export function WebsiteSection({
  website,
  onAddZone,
  targetAnchor,
  drawHouseAd,
  renderTools,
}: WebsiteSectionProps) {
  const [showsOwnership, setShowsOwnership] = useState(false);
  return (
    <Card aria-label={website.name} padded={false}>
      <CardHeader
        title={
          <span className="flex items-center gap-3">
            <WebsitePicture website={website} className="size-10" />
            <span dir="auto">{website.name}</span>
          </span>
        }
        description={<About website={website} />}
        actions={
          onAddZone && (
            <>
              <Button
                variant={website.isVerified ? 'quiet' : 'secondary'}
                size="sm"
                onClick={() => setShowsOwnership(true)}
              >
                {website.isVerified ? 'Ownership' : 'Verify'}
                <span className="sr-only">
                  {website.isVerified && 'of '}
                  <bdi>{website.name}</bdi>
                </span>
              </Button>
              <Button variant="secondary" size="sm" onClick={onAddZone}>
                <Plus aria-hidden="true" />
                Add Zone
                <span className="sr-only">
                  to <bdi>{website.name}</bdi>
                </span>
              </Button>
            </>
          )
        }
        className="px-inset py-4"
      />
      <Zones
        website={website}
        onAddZone={onAddZone}
        targetAnchor={targetAnchor}
        drawHouseAd={drawHouseAd}
        renderTools={renderTools}
      />
      {showsOwnership && <OwnershipDialog website={website} onClose={() => setShowsOwnership(false)} />}
    </Card>
  );
}

function About({ website }: { website: Website }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <a
        href={website.url}
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-tight break-all underline decoration-line-strong underline-offset-4 hover:text-ink"
      >
        {website.displayAddress}
      </a>
      <span aria-hidden="true">·</span>
      <span>{website.category}</span>
      <span aria-hidden="true">·</span>
      <span>{formatVisitors(website.monthlyVisitors)} monthly visitors</span>
      <span aria-hidden="true">·</span>
      {website.isVerified ? (
        <span className="inline-flex items-center gap-1 text-good">
          <BadgeCheck aria-hidden="true" className="size-4" />
          Verified
        </span>
      ) : (
        <span className="text-warn">Unverified</span>
      )}
      <span className="w-full">{measuredText(website.measured)}</span>
      {website.suspendedReason !== null && (
        <span className="w-full wrap-anywhere text-bad">
          The marketplace operator suspended this website, so its ad zones aren’t sold and show no ads.
          Reason: <bdi>{website.suspendedReason}</bdi>
        </span>
      )}
      {!website.isVerified && (
        <span className="w-full text-ink-faint">
          Until you prove that this website is yours, advertisers see ‘Unverified’ and your earnings are on
          hold. A tag that we have seen is no proof.
        </span>
      )}
    </span>
  );
}

type Open = { dialog: 'settings' | 'delete'; zoneId: number };

function Zones({ website, onAddZone, targetAnchor, drawHouseAd, renderTools }: WebsiteSectionProps) {
  const { data: zones, isError, refetch } = useZones(website.publicId);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isTarget = (zone: AdZone) => zoneAnchor(zone) === targetAnchor;
  const { shown, left, showMore } = usePortion(zones ?? [], ZONES_AT_ONCE, isTarget);

  if (isError) {
    return (
      <div className="border-t border-line p-inset">
        <LoadError what="the ad zones" onRetry={refetch} />
      </div>
    );
  }
  if (!zones) return <Skeleton className="m-inset mt-0 h-20" />;
  if (zones.length === 0) {
    return (
      <EmptyState
        title="No ad zones yet"
        className="m-inset mt-1 py-8"
        action={onAddZone && <Button onClick={onAddZone}>Add your first ad zone</Button>}
      >
        Create an ad zone to sell ad space on this website.
      </EmptyState>
    );
  }
  const zone = zones.find(({ id }) => id === open?.zoneId);
  return (
    <>
      <div className="divide-y divide-line border-t border-line">
        {shown.map((zone) => (
          <ZoneRow
            key={zone.id}
            zone={zone}
            websitePublicId={website.publicId}
            isTarget={isTarget(zone)}
            tools={renderTools(zone, website)}
            onSettings={() => setOpen({ dialog: 'settings', zoneId: zone.id })}
            onDelete={() => setOpen({ dialog: 'delete', zoneId: zone.id })}
          />
        ))}
        {left > 0 && (
          <p className="flex items-center justify-between gap-4 px-inset py-3 text-xs text-ink-faint">
            Showing {shown.length} of {zones.length} ad zones
            <Button variant="secondary" size="sm" onClick={showMore}>
              Show more
              <span className="sr-only">
                ad zones of <bdi>{website.name}</bdi>
              </span>
            </Button>
          </p>
        )}
      </div>
      {zone && open?.dialog === 'settings' && (
        <ZoneSettingsDialog zone={zone} drawHouseAd={drawHouseAd} onClose={close} />
      )}
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
      title={
        <>
          Delete <bdi>{zone.name}</bdi>?
        </>
      }
      confirmLabel="Delete Ad Zone"
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate(zone, { onSettled: onClose })}
    >
      The embed code will stop working and pending ads will be rejected. Past earnings are kept. This can’t be
      undone.
    </ConfirmDialog>
  );
}
