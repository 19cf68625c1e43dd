import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Radio, Settings, Trash2 } from 'lucide-react';
import { measuredText } from '#domain/delivery/forecast-text.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { formatAgo } from '#web/ui/format/ago.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmbedCode } from './embed-code.tsx';
import { SlotDrawing } from '../slot-drawing.tsx';
import { ZonePrices } from './zone-prices.tsx';

type ZoneRowProps = {
  zone: AdZone;
  websitePublicId: string;
  /** Whether the page's address names this zone: the row then scrolls into view with its embed code unfolded. */
  isTarget: boolean;
  /** The diagnostic tools. */
  tools: ReactNode;
  onSettings: () => void;
  onDelete: () => void;
};

/** An ad zone as a row: its size, status, prices and embed code. */
export function ZoneRow({ zone, websitePublicId, isTarget, tools, onSettings, onDelete }: ZoneRowProps) {
  const titleId = `zone-${zone.publicId}`;
  const [unfolded, setUnfolded] = useState(isTarget);
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
        'grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-3 px-inset py-4 text-ink-soft',
        'lg:grid-cols-[minmax(0,16rem)_minmax(0,18rem)_minmax(0,1fr)_auto] lg:items-start',
        isTarget && 'bg-accent-soft/40',
      )}
    >
      <div className="flex min-w-0 items-start gap-3">
        <span className="mt-1 max-sm:hidden">
          <SlotDrawing sizes={[zone]} width={40} height={30} />
        </span>
        <div className="grid min-w-0 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3
              id={titleId}
              dir="auto"
              title={zone.name}
              className="line-clamp-2 text-base font-medium wrap-anywhere text-ink"
            >
              {zone.name}
            </h3>
            {zone.suspendedReason === null ? (
              <Badge tone={zone.isActive ? 'good' : 'neutral'}>{zone.isActive ? 'Active' : 'Inactive'}</Badge>
            ) : (
              <Badge tone="bad">Suspended</Badge>
            )}
          </div>
          {zone.suspendedReason !== null && (
            <p className="wrap-anywhere text-bad">
              The marketplace operator suspended this ad zone: <bdi>{zone.suspendedReason}</bdi>
            </p>
          )}
          <p>
            <span className="figures">
              {zone.width}x{zone.height}
            </span>
            <span aria-hidden="true"> · </span>
            <span>{zone.zoneType}</span>
          </p>
          <p className="text-xs text-ink-faint">{measuredText(zone.measured)}</p>
        </div>
      </div>
      <div className="min-w-0 max-lg:order-3 max-lg:col-span-2">
        <ZonePrices zone={zone} onSetPrices={onSettings} />
      </div>
      <div className={cn('min-w-0 max-lg:order-4 max-lg:col-span-2', unfolded && 'lg:order-5 lg:col-span-4')}>
        <EmbedCode zone={zone} websitePublicId={websitePublicId} unfolded={unfolded} onUnfold={setUnfolded}>
          <TagSeen at={zone.tagSeenAt} />
        </EmbedCode>
        <div className="mt-1.5">{tools}</div>
      </div>
      <div className={cn('flex gap-1', unfolded && 'lg:col-start-4')}>
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:px-2"
          onClick={onSettings}
          aria-describedby={titleId}
        >
          <Settings aria-hidden="true" />
          <span className="max-sm:sr-only">Settings</span>
        </Button>
        <Button
          variant="quiet"
          size="sm"
          className="px-2"
          title="Delete"
          onClick={onDelete}
          aria-describedby={titleId}
        >
          <Trash2 aria-hidden="true" />
          <span className="sr-only">Delete</span>
        </Button>
      </div>
    </article>
  );
}

/** The element id of an ad zone's row, which addresses use as their hash. */
export function zoneAnchor(zone: Pick<AdZone, 'id'>): string {
  return `ad-zone-${zone.id}`;
}

/** When the tag was last seen on the website's own pages. */
function TagSeen({ at }: { at: string | null }) {
  const [now] = useState(() => new Date());
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-faint">
      <Radio aria-hidden="true" className={cn('size-3.5 shrink-0', at && 'text-good')} />
      {at ? `Tag seen ${formatAgo(at, now)}` : 'Tag not seen yet'}
    </p>
  );
}
