import { counted } from '#domain/format.ts';
import { useEffect, useRef, useState } from 'react';
import { Code, Radio, Settings } from 'lucide-react';
import { Link } from 'wouter';
import { measuredText } from '#domain/delivery/forecast-text.ts';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import type { ZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { formatMoney } from '#web/ui/format/format.ts';
import { formatAgo } from '#web/ui/format/ago.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { useWhyNot } from '#web/ui/why-not.ts';
import { SlotDrawing } from '../slot-drawing.tsx';
import { type ZoneAction, ZoneMenu } from './zone-menu.tsx';
import { type ZoneFigures, zoneHref } from './zone-parts.ts';
import { ZonePrices } from './zone-prices.tsx';

type ZoneRowProps = {
  zone: AdZone;
  website: Website;
  /** Its paid ads, and its last 30 days; undefined until they are known. */
  sales: ZoneSales | undefined;
  figures: ZoneFigures | undefined;
  /** Whether the page's address names this zone: the row then scrolls into view. */
  isTarget: boolean;
  onAction: (action: ZoneAction) => void;
};

/** An ad zone in one line: its name and size, price, when its tag was last seen, its code, and a menu with the rest. */
export function ZoneRow({ zone, website, sales, figures, isTarget, onAction }: ZoneRowProps) {
  const canChange = useWhyNot() === undefined;
  const titleId = `zone-${zone.publicId}`;
  const row = useRef<HTMLElement>(null);

  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);

  return (
    <article
      ref={row}
      id={zoneAnchor(zone)}
      aria-labelledby={titleId}
      className={cn(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-inset py-3 text-ink-soft',
        'lg:grid-cols-[auto_minmax(0,1fr)_minmax(0,13rem)_minmax(0,15rem)_auto] lg:gap-x-6',
        isTarget && 'bg-accent-soft/40',
      )}
    >
      <span className="row-span-2 -mr-2 max-lg:hidden">
        <SlotDrawing sizes={[zone]} width={40} height={30} />
      </span>
      <h3 className="min-w-0 font-medium text-ink">
        <Link
          href={zoneHref(zone)}
          title={zone.name}
          className="line-clamp-2 rounded-tight text-left wrap-anywhere underline-offset-4 hover:underline lg:line-clamp-1"
        >
          <span id={titleId} dir="auto">
            {zone.name}
          </span>
        </Link>
      </h3>
      <SizeAndState zone={zone} website={website} />
      <div className="min-w-0 max-lg:col-span-2 lg:col-start-3 lg:row-span-2 lg:row-start-1">
        <ZonePrices zone={zone} />
      </div>
      <div className="min-w-0 max-lg:col-span-2 lg:col-start-4 lg:row-span-2 lg:row-start-1">
        <Sold sales={sales} figures={figures} />
      </div>
      <div className="flex items-center gap-1 max-lg:col-start-2 max-lg:row-start-1 lg:col-start-5 lg:row-span-2 lg:row-start-1">
        {canChange && (
          <Button
            variant="quiet"
            size="sm"
            // The menu has it, too. A phone needs the room for the name.
            className="px-2 max-sm:hidden"
            aria-label={`${zone.name} Settings`}
            onClick={() => onAction('settings')}
          >
            <Settings aria-hidden="true" />
          </Button>
        )}
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Code for ${zone.name}`}
          onClick={() => onAction('code')}
        >
          <Code aria-hidden="true" />
          Code
        </Button>
        <ZoneMenu zone={zone} onAction={onAction} />
      </div>
      {zone.suspendedReason !== null && (
        <p className="col-span-full mt-1 wrap-anywhere text-bad">
          The marketplace operator suspended this ad zone: <bdi>{zone.suspendedReason}</bdi>
        </p>
      )}
    </article>
  );
}

/** The element id of an ad zone's row, which addresses use as their hash. */
export function zoneAnchor(zone: Pick<AdZone, 'id'>): string {
  return `ad-zone-${zone.id}`;
}

function SizeAndState({ zone, website }: Pick<ZoneRowProps, 'zone' | 'website'>) {
  return (
    <p
      title={measuredText(zone.measured)}
      className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-xs max-lg:col-span-2 lg:col-start-2 lg:row-start-2"
    >
      <span className="figures">
        {zone.width}x{zone.height}
      </span>
      <span aria-hidden="true">·</span>
      <span>{zone.zoneType}</span>
      <span aria-hidden="true">·</span>
      <ZoneState zone={zone} website={website} />
      <span aria-hidden="true">·</span>
      <TagSeen at={zone.tagSeenAt} />
    </p>
  );
}

/** The causes that stop the ad zone, the marketplace's suspensions first. */
export function ZoneState({ zone, website }: Pick<ZoneRowProps, 'zone' | 'website'>) {
  const [label, dot, text] =
    zone.suspendedReason !== null || website.suspendedReason !== null
      ? ['Suspended', 'bg-bad', 'text-bad']
      : !zone.isActive
        ? ['Inactive', 'bg-warn', 'text-warn']
        : website.isActive
          ? ['Active', 'bg-good', '']
          : ['Website hidden', 'bg-warn', 'text-warn'];
  return (
    <span className={cn('inline-flex items-center gap-1.5', text)}>
      <span aria-hidden="true" className={cn('size-1.5 rounded-full', dot)} />
      <span>{label}</span>
    </span>
  );
}

/** Whom the zone is sold to, and what it has shown and earned. */
function Sold({ sales, figures }: Pick<ZoneRowProps, 'sales' | 'figures'>) {
  const [first] = sales?.ads ?? [];
  return (
    <>
      {sales && (
        <p className="truncate">
          {first ? (
            <span className="text-ink">
              Sold to <bdi>{first.advertiser ?? first.title}</bdi>
              {sales.running > 1 && ` and ${sales.running - 1} more`}
            </span>
          ) : (
            'Free'
          )}
        </p>
      )}
      {/* Keeps its line free while the figures load, so that nothing moves. */}
      <p className="figures text-xs">
        {figures
          ? `${counted(figures.impressions, 'view')} · ${formatMoney(figures.amount)} in 30 days`
          : '\u00A0'}
      </p>
    </>
  );
}

/** When the tag was last seen on the website's own pages. */
function TagSeen({ at }: { at: string | null }) {
  const [now] = useState(() => new Date());
  return (
    <span className={cn('inline-flex items-center gap-1.5', at === null && 'text-ink-faint')}>
      <Radio aria-hidden="true" className={cn('size-3.5 shrink-0', at && 'text-good')} />
      {at ? `Tag seen ${formatAgo(at, now)}` : 'Tag not seen yet'}
    </span>
  );
}
