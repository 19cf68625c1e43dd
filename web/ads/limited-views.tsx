import type { Ad, Availability } from '#domain/ads/contract.ts';
import { limitedAdvice, limitedText } from '#domain/delivery/limited-text.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { useAvailability } from './api.ts';
import { useZoneAvailability } from './zone-availability.ts';

type LimitedViewsProps = {
  availability: Pick<Availability, 'limited'>;
  pricingModel: PricingModel;
  className?: string;
};

/** How many of an ad zone's views are within the limits of an ad, and advice if these are few. For ads with limits only. */
export function LimitedViews({ availability: { limited }, pricingModel, className = '' }: LimitedViewsProps) {
  const advice = limitedAdvice(limited, pricingModel);
  return (
    <div className={`grid gap-0.5 ${className}`}>
      {limited === null ? (
        <p>{limitedText(null)} are within the limits: too few visitors of this ad zone were measured.</p>
      ) : (
        <p>
          Within the limits: <strong className="figures font-semibold">{limitedText(limited)}</strong>
        </p>
      )}
      {advice !== null && <p className="font-medium text-warn">{advice}.</p>}
    </div>
  );
}

type OrderProps = {
  zonePublicId: string;
  product: Pick<Product, 'id' | 'pricingModel'>;
  quantity: number;
  targeting: Targeting | null;
  className?: string;
};

/** The same before the order. Nothing without limits, and until the figures are loaded. */
export function LimitedOrderViews({ zonePublicId, product, quantity, targeting, className }: OrderProps) {
  const { data } = useZoneAvailability(zonePublicId, product.id, quantity, targeting !== null, targeting);
  if (targeting === null || !data) return null;
  return <LimitedViews availability={data} pricingModel={product.pricingModel} className={className} />;
}

/** The same of an ad with limits that was submitted. */
export function LimitedAdViews({ ad, className }: { ad: Ad; className?: string }) {
  const { data } = useAvailability(ad.publicId);
  return data && <LimitedViews availability={data} pricingModel={ad.pricingModel} className={className} />;
}
