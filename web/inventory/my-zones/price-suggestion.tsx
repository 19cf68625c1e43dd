import { counted } from '#domain/format.ts';
import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { PriceSuggestion as Suggestion } from '#domain/inventory/my-zones-contract.ts';
import { formatMoney } from '#web/ui/format/format.ts';
import { read } from '#web/http/query.ts';

/** The prices that similar ad zones ask and get. Renders nothing while it loads, and without enough similar zones. */
export function PriceSuggestion({ zone }: { zone: AdZone }) {
  const { data } = useQuery(read(calls.getPriceSuggestion, { params: { ref: zone.publicId } }));
  if (!data || data.length === 0) return null;
  return (
    <section
      aria-label="Prices of similar ad zones"
      className="grid gap-1 rounded-card bg-sunken p-4 text-sm text-ink-soft"
    >
      {data.map((figures) => (
        <p key={figures.model}>
          <span className="font-medium text-ink">
            {formatMoney(figures.low)} to {formatMoney(figures.high)} {UNITS[figures.model]}
          </span>{' '}
          is what most publishers ask for {kindOf(figures, zone)} ({counted(figures.zones, 'ad zone')}).
          {figures.paid !== null &&
            ` Advertisers recently paid about ${formatMoney(figures.paid)} ${UNITS[figures.model]}.`}
        </p>
      ))}
    </section>
  );
}

const UNITS: Record<Suggestion['model'], string> = {
  per_day: 'a day',
  per_impression: 'per 1,000 views',
};

function kindOf({ similarity }: Suggestion, { width, height, zoneType }: AdZone): string {
  const size = `${width} × ${height}`;
  switch (similarity) {
    case 'size_and_category':
      return `${size} in your category`;
    case 'size':
      return `${size} in all categories`;
    case 'type_and_category':
      return `${zoneType} zones in your category`;
  }
}
