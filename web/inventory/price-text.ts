import type { Product } from '#domain/inventory/contract.ts';
import { planOf, unitPriceCents, UNIT_NAMES } from '#domain/inventory/pricing.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';

type Priced = Pick<Product, 'price' | 'pricingModel' | 'duration' | 'impressions' | 'clicks'>;

/** '$0.50 per click' (CRE-14, CRE-15, OP-053). */
export function unitPriceText(product: Priced): string {
  const cents = unitPriceCents(centsOf(product.price), planOf(product));
  return `${formatMoney(decimalOf(cents))} ${UNIT_NAMES[product.pricingModel]}`;
}

/** What one purchase buys: '7 days', '10,000 impressions', '1 click'. */
export function amountText(product: Omit<Priced, 'price'>): string {
  const plan = planOf(product);
  switch (plan.pricingModel) {
    case 'per_day':
      return counted(plan.duration, 'day');
    case 'per_impression':
      return counted(plan.impressions, 'impression');
    case 'per_click':
      return counted(plan.clicks, 'click');
  }
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}
