import { Link } from 'wouter';
import type { AdZone, Product, ZoneOffer } from '#domain/inventory/contract.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { zoneHref } from './zone-parts.ts';
import { formatMoney } from '#web/ui/format/format.ts';

/** The zone's first pricing option, and how many others there are. */
export function ZonePrices({ zone }: { zone: AdZone }) {
  const [first] = zone.offers;
  if (!first) {
    return (
      <p className="text-warn">
        No prices yet.{' '}
        <Link
          href={zoneHref(zone)}
          className="rounded-tight font-medium underline underline-offset-4 hover:opacity-75"
        >
          Set prices
        </Link>
      </p>
    );
  }
  const others = zone.offers.reduce((count, { optionCount }) => count + optionCount, 0) - 1;
  return (
    <p>
      <span className="text-ink">{priceLine(first)}</span>
      {others > 0 && <span className="text-ink-faint"> and {others} more</span>}
    </p>
  );
}

/** Formats a pricing option, such as 'Text: 7 days for $50.00'. */
export function priceLine(option: Product | ZoneOffer): string {
  return `${AD_KINDS[option.adType].name}: ${amountText(planOf(option))} for ${formatMoney(option.price)}`;
}
