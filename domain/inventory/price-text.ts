import { counted } from '../format.ts';
import { centsOf, type Currency, decimalOf, moneyText } from '../money.ts';
import type { MarketplaceWebsite } from './contract.ts';
import { amountOf } from './quantity.ts';
import { planOf, unitPriceCents, UNIT_NAMES, type AdPlan, type PricingModel } from './pricing.ts';

export const MODEL_NAMES: Record<PricingModel, string> = {
  per_day: 'Per day',
  per_impression: 'Per impression',
  per_click: 'Per click',
};

/** The quantity that one purchase buys, such as '7 days', '10,000 impressions' or '1 click'. */
export function amountText(plan: AdPlan): string {
  switch (plan.pricingModel) {
    case 'per_day':
      return counted(plan.duration, 'day');
    case 'per_impression':
      return counted(plan.impressions, 'impression');
    case 'per_click':
      return counted(plan.clicks, 'click');
  }
}

/** The same, with impressions as views, as prices name them: '7 days', '10,000 views' or '1 click'. */
export function soldText(plan: AdPlan): string {
  return plan.pricingModel === 'per_impression' ? counted(plan.impressions, 'view') : amountText(plan);
}

const PER: Record<PricingModel, string> = {
  per_day: 'a day',
  per_impression: 'per 1,000',
  per_click: 'a click',
};

/**
 * A price with what it buys and the price of a day or of 1,000 views, such as '$25.00 for 7 days ($3.57 a day)' or
 * '$20.00 for 10,000 views ($2.00 per 1,000)'.
 */
export function priceText(price: string, plan: AdPlan, currency: Currency): string {
  const whole = `${moneyText(price, currency)} for ${soldText(plan)}`;
  // The price of a single day or click says everything.
  if (plan.pricingModel !== 'per_impression' && amountOf(plan) === 1) return whole;
  const unit = decimalOf(unitPriceCents(centsOf(price), plan));
  return `${whole} (${moneyText(unit, currency)} ${PER[plan.pricingModel]})`;
}

/** A price as a product, such as '14 days × $3.57' or '20,000 views × $2.00 per 1,000'; a rounded factor is 'about $3.57'. */
export function productText(totalCents: number, plan: AdPlan, currency: Currency): string {
  const isByView = plan.pricingModel === 'per_impression';
  const unitCents = unitPriceCents(totalCents, plan);
  const isExact = unitCents * amountOf(plan) === totalCents * (isByView ? 1000 : 1);
  const unit = moneyText(decimalOf(unitCents), currency);
  return `${soldText(plan)} × ${isExact ? '' : 'about '}${unit}${isByView ? ' per 1,000' : ''}`;
}

/**
 * A price with what it buys, such as '$25.00 per 7 days', '$0.40 per click' or '$90.00 per 20,000 views'. Without the
 * quantity, a price of one click would look like one of a week.
 */
export function offerText(price: string, plan: AdPlan, currency: Currency): string {
  const sold = soldText(plan);
  return `${moneyText(price, currency)} per ${amountOf(plan) === 1 ? sold.replace('1 ', '') : sold}`;
}

/** Such as '$0.50 per click'. [CRE-14, OP-053] */
export function unitPriceText(priceCents: number, plan: AdPlan, currency: Currency): string {
  return `${moneyText(decimalOf(unitPriceCents(priceCents, plan)), currency)} ${UNIT_NAMES[plan.pricingModel]}`;
}

/**
 * The price by which websites are compared: that of 1,000 views if it is known, else that of a day or a click of the
 * cheapest option. Null if nothing is for sale now.
 */
export function comparablePrice({
  costPerThousand,
  lowestOffer,
}: Pick<MarketplaceWebsite, 'costPerThousand' | 'lowestOffer'>): { amount: string; unit: string } | null {
  if (costPerThousand !== null) return { amount: costPerThousand, unit: 'per 1,000 views' };
  if (lowestOffer === null) return null;
  const plan = planOf(lowestOffer);
  return {
    amount: decimalOf(unitPriceCents(centsOf(lowestOffer.price), plan)),
    unit: plan.pricingModel === 'per_impression' ? 'per 1,000 views' : PER[plan.pricingModel],
  };
}
