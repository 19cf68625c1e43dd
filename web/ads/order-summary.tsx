import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import type { AdZone, MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { amountText, MODEL_NAMES, unitPriceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { timesPlan, totalCentsAt, unitCentsAt } from '#domain/inventory/quantity.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { decimalOf } from '#domain/money.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { CURRENCY, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { DayNeeds } from './day-needs.tsx';
import { Facts } from './facts.tsx';
import { quantityFacts } from './quantity-facts.ts';

export type Placement = { website: MarketplaceWebsite; zone: AdZone; product: Product; quantity: number };

type OrderSummaryProps = {
  adType: AdType;
  placement: Placement;
  /** The day that the advertiser has chosen; null: as soon as the ad is paid for. */
  startDay: string | null;
};

export function OrderSummary({ adType, placement, startDay }: OrderSummaryProps) {
  const { website, zone, product, quantity } = placement;
  const plan = planOf(product);
  const unitCents = unitCentsAt(product, quantity);
  return (
    <Card aria-label="Order Summary">
      <CardHeader title="Order Summary" className="mb-4" />
      <Facts
        facts={[
          ['Ad type', AD_KINDS[adType].name],
          ['Website', <bdi key="website">{website.name}</bdi>],
          [
            'Ad zone',
            <span key="zone">
              <bdi>{zone.name}</bdi> ({describeZone(zone)})
            </span>,
          ],
          ...(zone.excludes === null
            ? []
            : [['Not shown to', <LimitsList key="excludes" limits={zone.excludes} none="" />] as const]),
          ['Pricing option', `${MODEL_NAMES[product.pricingModel]}: ${amountText(plan)}`],
          ...quantityFacts(quantity, decimalOf(unitCents)),
          ...(quantity === 1 ? [] : [['You get', amountText(timesPlan(plan, quantity))] as const]),
          ...(startDay === null ? [] : [['Starts', `${formatDay(startDay)} (00:00 UTC)`] as const]),
          ['Unit price', unitPriceText(unitCents, plan, CURRENCY)],
        ]}
      />
      <DayNeeds
        zonePublicId={zone.publicId}
        product={product}
        quantity={quantity}
        className="mt-3 text-sm text-ink-soft"
      />
      <p className="mt-4 flex items-baseline justify-between gap-4">
        <span className="font-medium">Total</span>
        <span className="figures text-xl font-semibold">
          {formatMoney(decimalOf(totalCentsAt(product, quantity)))}
        </span>
      </p>
      {!website.isVerified && <p className="mt-2 text-sm text-warn">{UNVERIFIED_WARNING}</p>}
    </Card>
  );
}
