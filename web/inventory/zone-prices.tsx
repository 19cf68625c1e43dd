import { AD_TYPE_NAMES } from '#domain/ads/types.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { formatMoney } from '#web/ui/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useProducts } from './api.ts';

/** What can be bought in the zone, in a line or two. */
export function ZonePrices({ zone, onSetPrices }: { zone: AdZone; onSetPrices: () => void }) {
  const { data: products, isError } = useProducts(zone.publicId);
  if (isError) return <p className="text-sm text-ink-faint">The prices could not be loaded.</p>;
  if (!products) return <Skeleton className="h-5 w-40" />;
  const offered = products.filter((product) => product.isActive);
  if (offered.length === 0) {
    return (
      <p className="text-sm text-warn">
        Nothing for sale here yet.{' '}
        <button
          type="button"
          onClick={onSetPrices}
          className="rounded-tight font-medium underline underline-offset-4 hover:opacity-75"
        >
          Set prices
        </button>
      </p>
    );
  }
  return (
    <ul aria-label="Prices" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
      {offered.map((product) => (
        <li key={product.id}>{priceLine(product)}</li>
      ))}
    </ul>
  );
}

/** 'Text: 7 days for $50.00'. */
export function priceLine(product: Product): string {
  return `${AD_TYPE_NAMES[product.adType]}: ${amountText(planOf(product))} for ${formatMoney(product.price)}`;
}
