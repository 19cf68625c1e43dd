/** How much of a pricing option can be bought, and for how much. */
import { centsOf, decimalOf } from '../money.ts';
import { type AdPlan } from './pricing.ts';

/** From this quantity on, each unit costs `price`. */
export type VolumePrice = { fromQuantity: number; price: string };

/** A quantity is `minQuantity` + n × `step`, and at most `maxQuantity`. `price` is that of one unit. */
export type Quantities = {
  price: string;
  minQuantity: number;
  maxQuantity: number;
  step: number;
  /** With rising quantities and falling prices. */
  volumePrices: readonly VolumePrice[];
};

/** Reads the quantities from the columns of a pricing option, whose JSON the contract has checked. */
export function quantitiesOf(row: Omit<Quantities, 'volumePrices'> & { volumePrices: unknown }): Quantities {
  const { price, minQuantity, maxQuantity, step } = row;
  return { price, minQuantity, maxQuantity, step, volumePrices: row.volumePrices as VolumePrice[] };
}

export const MAX_QUANTITY = 10_000;
export const MAX_VOLUME_PRICES = 10;
/** An ad by the day runs for at most this many days. */
export const MAX_DAYS = 365;

export function allowsQuantity({ minQuantity, maxQuantity, step }: Quantities, quantity: number): boolean {
  return (
    Number.isInteger(quantity) &&
    quantity >= minQuantity &&
    quantity <= maxQuantity &&
    (quantity - minQuantity) % step === 0
  );
}

/** The largest quantity that can be bought. */
export function largestQuantity({ minQuantity, maxQuantity, step }: Quantities): number {
  return maxQuantity - ((maxQuantity - minQuantity) % step);
}

/** The smallest quantity that can be bought and is not below `least`, or the largest one. */
export function quantityFrom(option: Quantities, least: number): number {
  const { minQuantity, step } = option;
  const steps = Math.max(0, Math.ceil((least - minQuantity) / step));
  return Math.min(largestQuantity(option), minQuantity + steps * step);
}

/** Whether an advertiser chooses a quantity. */
export function hasChoice(option: Quantities): boolean {
  return largestQuantity(option) > option.minQuantity;
}

/** Such as '1', '2 to 10' or '5 to 50, in steps of 5'. */
export function quantitiesText(option: Quantities): string {
  const { minQuantity, step } = option;
  const largest = largestQuantity(option);
  if (largest === minQuantity) return String(minQuantity);
  return `${minQuantity} to ${largest}${step === 1 ? '' : `, in steps of ${step}`}`;
}

/** The price of one unit at this quantity, in cents. */
export function unitCentsAt({ price, volumePrices }: Quantities, quantity: number): number {
  return centsOf(volumePrices.findLast(({ fromQuantity }) => fromQuantity <= quantity)?.price ?? price);
}

/** The price of this quantity, in cents. */
export function totalCentsAt(option: Quantities, quantity: number): number {
  return quantity * unitCentsAt(option, quantity);
}

/** The plan of this many units. */
export function timesPlan(plan: AdPlan, quantity: number): AdPlan {
  switch (plan.pricingModel) {
    case 'per_day':
      return { ...plan, duration: plan.duration * quantity };
    case 'per_impression':
      return { ...plan, impressions: plan.impressions * quantity };
    case 'per_click':
      return { ...plan, clicks: plan.clicks * quantity };
  }
}

/** The units that a plan buys: days, impressions or clicks. */
export function amountOf(plan: AdPlan): number {
  switch (plan.pricingModel) {
    case 'per_day':
      return plan.duration;
    case 'per_impression':
      return plan.impressions;
    case 'per_click':
      return plan.clicks;
  }
}

/** `minimumCents` is the lowest price of the marketplace, and `maximumCents` the largest charge of the card provider. */
export type ChargeLimits = { minimumCents: number; maximumCents: number };

/** Why an option cannot be offered with these quantities: the field, and a sentence for the publisher. Null if it can. */
export function quantityProblem(
  option: Quantities,
  plan: AdPlan,
  limits: ChargeLimits,
): { field: 'price' | 'maxQuantity' | 'volumePrices'; message: string } | null {
  const { minQuantity, maxQuantity, volumePrices } = option;
  if (maxQuantity < minQuantity)
    return { field: 'maxQuantity', message: 'The longest booking must not be shorter than the shortest.' };
  if (plan.pricingModel === 'per_day' && plan.duration * maxQuantity > MAX_DAYS)
    return {
      field: 'maxQuantity',
      message: `An ad can run for at most ${MAX_DAYS} days. Shorten the longest booking.`,
    };
  if (!Number.isSafeInteger(amountOf(plan) * maxQuantity) || amountOf(plan) * maxQuantity > 2_147_483_647)
    return { field: 'maxQuantity', message: 'The longest booking costs too much. Shorten it.' };
  if (centsOf(option.price) < limits.minimumCents)
    return { field: 'price', message: `The price must be at least ${decimalOf(limits.minimumCents)}.` };
  let last = { fromQuantity: minQuantity, cents: centsOf(option.price) };
  for (const { fromQuantity, price } of volumePrices) {
    const cents = centsOf(price);
    if (fromQuantity <= last.fromQuantity || fromQuantity > maxQuantity)
      return {
        field: 'volumePrices',
        message:
          'Discounts must begin after the shortest booking, each later than the one before, up to the longest.',
      };
    if (cents >= last.cents)
      return { field: 'volumePrices', message: 'Each lower price must be below the one before.' };
    if (cents < limits.minimumCents)
      return {
        field: 'volumePrices',
        message: `A lower price must be at least ${decimalOf(limits.minimumCents)}.`,
      };
    last = { fromQuantity, cents };
  }
  // With lower prices, a smaller quantity can cost more than the largest one.
  const highest = [minQuantity, maxQuantity, ...volumePrices.map(({ fromQuantity }) => fromQuantity - 1)];
  if (Math.max(...highest.map((quantity) => totalCentsAt(option, quantity))) > limits.maximumCents)
    return { field: 'price', message: 'The largest purchase is above what can be charged to a card.' };
  return null;
}
