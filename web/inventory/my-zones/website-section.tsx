import { counted } from '#domain/format.ts';
import { useState } from 'react';
import { BadgeCheck, ChevronDown, Plus } from 'lucide-react';
import { measuredText } from '#domain/delivery/forecast-text.ts';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import type { ZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { visitorsText } from '#domain/inventory/traffic.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { usePortion } from '#web/ui/use-portion.ts';
import { useDeleteZone, useZones } from '../api.ts';
import { WebsitePicture } from '../website-picture.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { OwnershipDialog } from './ownership-dialog.tsx';
import type { ZoneAction } from './zone-menu.tsx';
import type { ZoneParts } from './zone-parts.ts';
import { zoneAnchor, ZoneRow } from './zone-row.tsx';
import { type WebsiteAction, WebsiteMenu } from './website-menu.tsx';

const ZoneSettingsDialog = onDemand(
  'the settings',
  'hidden',
  async () => (await import('./zone-settings-dialog.tsx')).ZoneSettingsDialog,
);
const WebsiteDialog = onDemand(
  'the form',
  'hidden',
  async () => (await import('./website-dialogs.tsx')).WebsiteDialog,
);
const ShareSite = onDemand('the page', 'hidden', async () => (await import('./share-site.tsx')).ShareSite);

/** Ad zones per page, also for each 'Show more'. */
const ZONES_AT_ONCE = 30;

type WebsiteSectionProps = {
  website: Website;
  /** Undefined if the user may not create ad zones. */
  onAddZone?: () => void;
  /** The zone anchor in the page's address; '' if there is none. */
  targetAnchor: string;
  parts: ZoneParts;
  /** The paid ads of its zones; undefined until they are known. */
  sales: readonly ZoneSales[] | undefined;
};

/** A website of the publisher with its ad zones. */
export function WebsiteSection({
  website,
  onAddZone,
  startsFolded,
  ...rest
}: WebsiteSectionProps & { startsFolded: boolean }) {
  const [isFolded, setFolded] = useState(startsFolded);
  const [showsOwnership, setShowsOwnership] = useState(false);
  const [action, setAction] = useState<WebsiteAction>();
  return (
    <Card aria-label={website.name} padded={false}>
      <CardHeader
        title={<Title website={website} isFolded={isFolded} onFold={setFolded} />}
        description={
          !isFolded && (
            <>
              <About website={website} />
              <Summary sales={rest.sales} figuresOf={rest.parts.figuresOf} />
            </>
          )
        }
        actions={
          isFolded ? (
            <span className="flex flex-wrap items-center gap-x-3 text-ink-soft">
              {!website.isVerified && <span className="text-xs text-warn">Unverified</span>}
              <Summary sales={rest.sales} figuresOf={rest.parts.figuresOf} />
            </span>
          ) : (
            onAddZone && (
              <>
                <Button
                  variant={website.isVerified ? 'quiet' : 'secondary'}
                  size="sm"
                  onClick={() => setShowsOwnership(true)}
                >
                  {website.isVerified ? 'Verification' : 'Verify'}
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
                <WebsiteMenu website={website} onAction={setAction} />
              </>
            )
          )
        }
        className="px-inset py-4"
      />
      {!isFolded && <Zones website={website} onAddZone={onAddZone} {...rest} />}
      {action === 'share' && <ShareSite website={website} onClose={() => setAction(undefined)} />}
      {action && action !== 'share' && (
        <WebsiteDialog action={action} website={website} onClose={() => setAction(undefined)} />
      )}
      {showsOwnership && <OwnershipDialog website={website} onClose={() => setShowsOwnership(false)} />}
    </Card>
  );
}

type TitleProps = { website: Website; isFolded: boolean; onFold: (isFolded: boolean) => void };

function Title({ website, isFolded, onFold }: TitleProps) {
  return (
    <span className="flex flex-wrap items-center gap-3">
      <WebsitePicture website={website} className="size-10" />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {website.name}
      </span>
      <button
        type="button"
        aria-label={website.name}
        aria-expanded={!isFolded}
        onClick={() => onFold(!isFolded)}
        className="grid size-6 shrink-0 place-items-center rounded-tight text-ink-faint hover:text-ink"
      >
        <ChevronDown
          aria-hidden="true"
          className={cn('size-4 transition-transform', isFolded && '-rotate-90')}
        />
      </button>
      {!website.isActive && <Badge>Hidden</Badge>}
      {website.review !== null && (
        <Badge tone={website.review.state === 'hidden' ? 'bad' : 'warn'}>
          {website.review.state === 'hidden' ? 'Not accepted' : 'In review'}
        </Badge>
      )}
      {isFolded && website.suspendedReason !== null && <Badge tone="bad">Suspended</Badge>}
    </span>
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
      <span>{visitorsText(website.monthlyVisitors)}</span>
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
      {!website.isActive && (
        <span className="w-full">
          You’ve hidden this website: it isn’t in the marketplace, and its ad zones show no ads. Running
          campaigns are paused.
        </span>
      )}
      {website.suspendedReason !== null && (
        <span className="w-full wrap-anywhere text-bad">
          The marketplace operator suspended this website, so its ad zones aren’t sold and show no ads.
          Reason: <bdi>{website.suspendedReason}</bdi>
        </span>
      )}
      {website.review !== null && <Review review={website.review} />}
      {!website.isVerified && (
        <span className="w-full text-ink-faint">
          Until you prove that this website is yours, advertisers see ‘Unverified’ and your earnings are on
          hold. The embed code on your home page is a proof. Choose Verify to see the others.
        </span>
      )}
    </span>
  );
}

/** */
function Review({ review: { state, text } }: { review: NonNullable<Website['review']> }) {
  if (state === 'hidden')
    return (
      <span className="w-full wrap-anywhere text-bad">
        The marketplace operator didn’t accept this website, so its ad zones aren’t sold and show no ads.
        Reason: <bdi>{text}</bdi>. The e-mail about it has a link to answer.
      </span>
    );
  return (
    <span className="w-full wrap-anywhere text-warn">
      The marketplace operator looks at new websites before they are offered. You can set up ad zones and
      prices meanwhile. We’ll e-mail you.
      {text !== null && (
        <>
          {' '}
          The operator asks: <bdi>{text}</bdi> Please reply to the e-mail with this question.
        </>
      )}
    </span>
  );
}

/** How much of the website is sold, and what it has earned, in one line that keeps its height. */
function Summary({ sales, figuresOf }: Pick<WebsiteSectionProps, 'sales'> & Pick<ZoneParts, 'figuresOf'>) {
  if (!sales) return null;
  const figures = sales.flatMap(({ publicId }) => figuresOf(publicId) ?? []);
  const sold = sales.filter(({ running }) => running > 0).length;
  const views = sumOf(figures, ({ impressions }) => impressions);
  const cents = sumOf(figures, ({ amount }) => centsOf(amount));
  return (
    <span className="figures block truncate text-xs">
      {sales.length === 0 ? 'No ad zones' : `${counted(sales.length, 'ad zone')}, ${sold} sold`}
      {sales.length > 0 &&
        figures.length === sales.length &&
        ` · ${counted(views, 'view')} · ${formatMoney(decimalOf(cents))} in 30 days`}
    </span>
  );
}

const sumOf = <Item,>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);

type Open = { action: ZoneAction; anchor: string };

function Zones({ website, onAddZone, targetAnchor, parts, sales }: WebsiteSectionProps) {
  const { data: zones, isError, refetch } = useZones(website.publicId);
  // The code of the zone that the address names opens on arrival, as after the zone's creation.
  const [open, setOpen] = useState<Open | undefined>(
    () => (targetAnchor && { action: 'code', anchor: targetAnchor }) || undefined,
  );
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
  const zone = zones.find((each) => zoneAnchor(each) === open?.anchor);
  function close() {
    setOpen(undefined);
    // A reload must not open the dialog again.
    if (targetAnchor) window.history.replaceState(null, '', window.location.pathname);
  }
  return (
    <>
      <div className="divide-y divide-line border-t border-line">
        {shown.map((zone) => (
          <ZoneRow
            key={zone.id}
            zone={zone}
            website={website}
            sales={sales?.find(({ publicId }) => publicId === zone.publicId)}
            figures={parts.figuresOf(zone.publicId)}
            isTarget={isTarget(zone)}
            onAction={(action) => setOpen({ action, anchor: zoneAnchor(zone) })}
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
      {zone && open && (
        <ZoneDialog
          action={open.action}
          zone={zone}
          website={website}
          parts={parts}
          onAction={(action) => setOpen({ ...open, action })}
          onClose={close}
        />
      )}
    </>
  );
}

type ZoneDialogProps = {
  action: ZoneAction;
  zone: AdZone;
  website: Website;
  parts: ZoneParts;
  onAction: (action: ZoneAction) => void;
  onClose: () => void;
};

function ZoneDialog({ action, zone, website, parts, onAction, onClose }: ZoneDialogProps) {
  if (action === 'settings') return <ZoneSettingsDialog zone={zone} onClose={onClose} />;
  if (action === 'delete') return <DeleteZone zone={zone} onClose={onClose} />;
  if (action === 'code')
    return (
      <CodeDialog
        zone={zone}
        website={website}
        parts={parts}
        onTest={() => onAction('test')}
        onClose={onClose}
      />
    );
  return parts.renderDiagnosis(action, zone, website, onClose);
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
