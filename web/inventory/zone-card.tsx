import { Settings, Trash2 } from 'lucide-react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmbedCode } from './embed-code.tsx';
import { ZonePrices } from './zone-prices.tsx';

type ZoneCardProps = { zone: AdZone; onSettings: () => void; onDelete: () => void };

export function ZoneCard({ zone, onSettings, onDelete }: ZoneCardProps) {
  const titleId = `zone-${zone.publicId}`;
  return (
    <article
      id={`ad-zone-${zone.id}`}
      aria-labelledby={titleId}
      className="grid content-start gap-4 rounded-card border border-line p-4 sm:p-5"
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <h3 id={titleId} className="font-medium wrap-anywhere">
              {zone.name}
            </h3>
            <Badge tone={zone.isActive ? 'good' : 'neutral'}>{zone.isActive ? 'Active' : 'Inactive'}</Badge>
          </div>
          <p className="text-sm text-ink-soft">
            <span className="figures">
              {zone.width}x{zone.height}
            </span>
            <span aria-hidden="true"> · </span>
            <span>{zone.zoneType}</span>
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={onSettings} aria-describedby={titleId}>
            <Settings aria-hidden="true" />
            Settings
          </Button>
          <Button variant="quiet" size="sm" onClick={onDelete} aria-describedby={titleId}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </div>
      </header>
      <ZonePrices zone={zone} onSetPrices={onSettings} />
      <EmbedCode zone={zone} />
    </article>
  );
}
