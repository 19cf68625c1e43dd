import { isUnknown } from '#domain/delivery/forecast-text.ts';
import type { AdZone, MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { productText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { CURRENCY, formatCount, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { LimitedViews } from './limited-views.tsx';
import { dayNeedsText } from './day-needs.tsx';
import { useZoneAvailability } from './zone-availability.ts';

export type Placement = { website: MarketplaceWebsite; zone: AdZone; product: Product; quantity: number };

type OrderSummaryProps = {
  placement: Placement;
  /** The day that the advertiser has chosen; null: as soon as the ad is paid for. */
  startDay: string | null;
  /** The limits of the ad; null without any. */
  targeting: Targeting | null;
  /** Back to the booking, whose choices are kept. */
  onBooking: () => void;
};

export function OrderSummary({ placement, startDay, targeting, onBooking }: OrderSummaryProps) {
  const { website, zone, product, quantity } = placement;
  const cents = totalCentsAt(product, quantity);
  const days = (product.duration ?? 0) * quantity;
  const isAsked = days > 0 || targeting !== null;
  const { data: expected } = useZoneAvailability(zone.publicId, product.id, quantity, isAsked, targeting);
  return (
    <section aria-label="Order Summary" className="grid gap-1 text-sm">
      <header className="flex items-baseline justify-between gap-4">
        <h3 className="text-base font-semibold">Order Summary</h3>
        <Button variant="link" onClick={onBooking}>
          Change
        </Button>
      </header>
      <p className="wrap-anywhere">
        <bdi>{zone.name}</bdi> <span className="text-ink-soft">on</span> <bdi>{website.name}</bdi>
        <span className="text-ink-soft">{`, ${zone.width} × ${zone.height}`}</span>
      </p>
      <p className="figures">
        <span>{productText(cents, timesPlan(planOf(product), quantity), CURRENCY)}</span>
        {expected && days > 0 && !isUnknown(expected) && (
          <span>{` · about ${formatCount(expected.yoursPerDay * days)} views`}</span>
        )}
      </p>
      <p className="text-ink-soft">
        {startDay === null ? 'Starts as soon as it is paid for' : `Starts ${formatDay(startDay)} (00:00 UTC)`}
      </p>
      {days > 0 && expected && expected.minDayViews !== null && (
        <p className="text-xs text-ink-soft">{dayNeedsText(expected.minDayViews)}</p>
      )}
      {targeting !== null && expected && (
        <LimitedViews availability={expected} pricingModel={product.pricingModel} className="text-ink-soft" />
      )}
      {zone.excludes !== null && (
        <div className="text-ink-soft">
          Not shown to <LimitsList limits={zone.excludes} none="" />
        </div>
      )}
      <p className="flex items-baseline justify-between gap-4">
        <span className="font-medium">Total</span>
        <span className="figures text-xl font-semibold">{formatMoney(decimalOf(cents))}</span>
      </p>
      {!website.isVerified && <p className="text-warn">{UNVERIFIED_WARNING}</p>}
    </section>
  );
}
