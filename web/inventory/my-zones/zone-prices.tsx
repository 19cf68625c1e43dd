import { AD_TYPE_NAMES } from '#domain/ads/types.ts';
import type { AdZone, Product, ZoneOffer } from '#domain/inventory/contract.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { formatMoney } from '#web/ui/format/format.ts';

/** The cheapest pricing option of each ad type in the zone. */
export function ZonePrices({ zone, onSetPrices }: { zone: AdZone; onSetPrices: () => void }) {
  if (zone.offers.length === 0) {
    return (
      <p className="text-warn">
        No prices yet.{' '}
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
    <ul aria-label="Prices" className="grid">
      {zone.offers.map((offer) => (
        <li key={offer.adType}>
          {priceLine(offer)}
          {offer.optionCount > 1 && (
            <span className="text-ink-faint">
              {' '}
              and {offer.optionCount - 1} more
              <span className="sr-only"> {AD_TYPE_NAMES[offer.adType].toLowerCase()} options</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Formats a pricing option, such as 'Text: 7 days for $50.00'. */
export function priceLine(option: Product | ZoneOffer): string {
  return `${AD_TYPE_NAMES[option.adType]}: ${amountText(planOf(option))} for ${formatMoney(option.price)}`;
}
