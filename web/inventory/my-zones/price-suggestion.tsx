import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { counted } from '#domain/format.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { PriceSuggestion as Suggestion } from '#domain/inventory/my-zones-contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { splitPrice } from '#domain/payments/split.ts';
import { readPrice } from '#domain/price-input.ts';
import { CURRENCY, formatMoney } from '#web/ui/format/format.ts';
import { read } from '#web/http/query.ts';

const useSuggestion = (zone: AdZone) =>
  useQuery(read(calls.getPriceSuggestion, { params: { ref: zone.publicId } }));

/** The prices that similar ad zones ask and get. Renders nothing while it loads, and without enough similar zones. */
export function PriceSuggestion({ zone }: { zone: AdZone }) {
  const { data } = useSuggestion(zone);
  if (!data || data.similar.length === 0) return null;
  return (
    <section
      aria-label="Prices of similar ad zones"
      className="grid gap-1 rounded-card bg-sunken p-4 text-sm text-ink-soft"
    >
      {data.similar.map((figures) => (
        <p key={figures.model}>
          Similar ad zones:{' '}
          <span className="font-medium text-ink">
            {formatMoney(figures.low)} to {formatMoney(figures.high)} {UNITS[figures.model]}
          </span>
          , {kindOf(figures, zone)} ({counted(figures.zones, 'ad zone')}).
          {figures.paid !== null &&
            ` Advertisers recently paid about ${formatMoney(figures.paid)} ${UNITS[figures.model]}.`}
        </p>
      ))}
    </section>
  );
}

/** 'You receive $4.25.' of a price as typed; nothing while it is no price, or the commission is not known. */
export function YouReceive({ zone, price }: { zone: AdZone; price: string }) {
  const { data } = useSuggestion(zone);
  const amount = readPrice(price, CURRENCY);
  if (!data || amount === null) return null;
  const { earningsCents } = splitPrice(centsOf(amount), data.commissionPercent);
  return <span>You receive {formatMoney(decimalOf(earningsCents))}.</span>;
}

type Figures = Suggestion['similar'][number];

const UNITS: Record<Figures['model'], string> = {
  per_day: 'a day',
  per_impression: 'per 1,000 views',
};

function kindOf({ similarity }: Figures, { width, height, zoneType }: AdZone): string {
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
