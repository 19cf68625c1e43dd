import { counted } from '#domain/format.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { useZoneAvailability } from './zone-availability.ts';

/** The views that each day of an ad by the day needs, as a sentence for its advertiser. */
export function dayNeedsText(minDayViews: number): string {
  return `Each day needs ${counted(minDayViews, 'counted view')}. You don’t pay for a day with fewer, and your campaign runs one day longer.`;
}

type DayNeedsProps = {
  zonePublicId: string;
  product: Pick<Product, 'id' | 'pricingModel'>;
  quantity: number;
  targeting?: Targeting | null;
  className: string;
};

/** The same before the order. Nothing for other options, and until the number is loaded. */
export function DayNeeds({ zonePublicId, product, quantity, targeting, className }: DayNeedsProps) {
  const isPerDay = product.pricingModel === 'per_day';
  const { data } = useZoneAvailability(zonePublicId, product.id, quantity, isPerDay, targeting);
  if (!isPerDay || !data || data.minDayViews === null) return null;
  return <p className={className}>{dayNeedsText(data.minDayViews)}</p>;
}
