import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { createProduct } from '#domain/inventory/contract.ts';
import { soldText } from '#domain/inventory/price-text.ts';
import { planOf, PRICING_MODELS, type PricingModel } from '#domain/inventory/pricing.ts';
import { quantityProblem } from '#domain/inventory/quantity.ts';
import { MAXIMUM_CENTS } from '#domain/payments/limits.ts';
import { PRICE_EXAMPLE, readPrice } from '#domain/price-input.ts';
import { bodyOf } from '#web/http/schema.ts';
import { SETTINGS } from '#web/ui/format/settings.ts';
import { CURRENCY } from '#web/ui/format/format.ts';

/** A row of the pricing form, as typed. */
export type PricingRow = {
  adType: AdType;
  pricingModel: PricingModel;
  price: string;
  /** Days, impressions or clicks of one unit, depending on the pricing model. */
  amount: string;
  /** Offers the other ad types for the same price, too. */
  allTypes: boolean;
  minQuantity: string;
  /** Blank: the shortest booking only. */
  maxQuantity: string;
  step: string;
  /** Lines without a quantity are left out. */
  volumes: { from: string; price: string }[];
  /** The types that were saved before a failure; they are not sent again. */
  savedTypes: AdType[];
  /** Whether the row's pricing option already exists; a saved row is not sent again. */
  saved: boolean;
};

export type Rows = { rows: PricingRow[] };

/** Properties of the fields of one row. */
export type FieldsProps = { form: UseFormReturn<Rows>; index: number; row: PricingRow };

/** The line of a discount that is still to be filled in. */
export const NEW_VOLUME: PricingRow['volumes'][number] = { from: '', price: '' };

/** An ad by the day can be booked for up to this many days, unless the publisher chooses otherwise. */
const LONGEST_DAYS = 30;

export const NEW_ROW: PricingRow = {
  adType: 'text',
  pricingModel: 'per_day',
  price: '',
  amount: '1',
  allTypes: false,
  minQuantity: '1',
  maxQuantity: String(LONGEST_DAYS),
  step: '1',
  volumes: [NEW_VOLUME],
  savedTypes: [],
  saved: false,
};

/** The initial amount of each pricing model. */
export const DEFAULT_AMOUNTS: Record<PricingModel, string> = {
  per_day: '1',
  per_impression: '10000',
  per_click: '100',
};

/** The longest booking that a row starts with, in its units. */
export function longestBooking({
  pricingModel,
  amount,
}: Pick<PricingRow, 'pricingModel' | 'amount'>): string {
  if (pricingModel !== 'per_day') return '';
  const days = Number(amount);
  return String(days >= 1 ? Math.max(1, Math.floor(LONGEST_DAYS / days)) : LONGEST_DAYS);
}

/** The unit in which a row counts its bookings: 'days', '× 7 days' or '× 10,000 views'. */
export function unitText({ pricingModel, amount }: Pick<PricingRow, 'pricingModel' | 'amount'>): string {
  const count = Number(amount) || 1;
  if (pricingModel === 'per_day' && count === 1) return 'days';
  return `× ${soldText(planOf({ pricingModel, duration: count, impressions: count, clicks: count }))}`;
}

/** Rows without a price are skipped on save. [VAL-49] */
export function isToBeSaved(row: PricingRow): boolean {
  return !row.saved && row.price.trim() !== '';
}

/** The request body for a row: the amount of its pricing model, and null for the other two. [ENT-25] */
export function bodyOfRow(row: PricingRow) {
  const amount = row.amount.trim() === '' ? null : Number(row.amount);
  return {
    adType: row.adType,
    price: readPrice(row.price, CURRENCY) ?? row.price.trim(),
    pricingModel: row.pricingModel,
    duration: row.pricingModel === 'per_day' ? amount : null,
    impressions: row.pricingModel === 'per_impression' ? amount : null,
    clicks: row.pricingModel === 'per_click' ? amount : null,
    minQuantity: Number(row.minQuantity),
    ...(row.maxQuantity.trim() !== '' && { maxQuantity: Number(row.maxQuantity) }),
    step: Number(row.step),
    volumePrices: row.volumes
      .filter(({ from }) => from.trim() !== '')
      .map(({ from, price }) => ({
        fromQuantity: Number(from),
        price: readPrice(price, CURRENCY) ?? price.trim(),
      })),
    isActive: true,
  };
}

/** The ad types that a row offers, its own first. */
export function typesOf({ adType, allTypes }: PricingRow): PricingRow['adType'][] {
  return allTypes ? [adType, ...AD_TYPES.filter((type) => type !== adType)] : [adType];
}

/** The field of a row that shows an error of the contract. */
const FIELDS: Record<string, 'price' | 'minQuantity' | 'maxQuantity' | 'step' | 'volumes'> = {
  price: 'price',
  minQuantity: 'minQuantity',
  maxQuantity: 'maxQuantity',
  step: 'step',
  volumePrices: 'volumes',
};

const CHARGE_LIMITS = { minimumCents: SETTINGS?.minimumPriceCents ?? 0, maximumCents: MAXIMUM_CENTS };

/** The contract of createProduct. */
export const pricingBody = bodyOf(createProduct);

/** Validates rows with the contract of createProduct and the rule of quantities, and puts each error at the field of the row that caused it. */
export const pricingSchema = z.object({
  rows: z.array(
    z
      .object({
        adType: z.enum(AD_TYPES),
        pricingModel: z.enum(PRICING_MODELS),
        price: z.string(),
        amount: z.string(),
        allTypes: z.boolean(),
        minQuantity: z.string(),
        maxQuantity: z.string(),
        step: z.string(),
        volumes: z.array(z.object({ from: z.string(), price: z.string() })),
        savedTypes: z.array(z.enum(AD_TYPES)),
        saved: z.boolean(),
      })
      .superRefine((row, context) => {
        if (!isToBeSaved(row)) return;
        if (readPrice(row.price, CURRENCY) === null) {
          context.addIssue({ code: 'custom', path: ['price'], message: PRICE_EXAMPLE });
          return;
        }
        const { data, error } = pricingBody.safeParse({ adZoneId: 1, ...bodyOfRow(row) });
        for (const issue of error?.issues ?? []) {
          const path = FIELDS[String(issue.path[0])] ?? 'amount';
          context.addIssue({ code: 'custom', path: [path], message: issue.message });
        }
        const problem = data && quantityProblem(data, planOf(data), CHARGE_LIMITS);
        if (problem) {
          // With one length of booking, the unit itself is too long.
          const isOne = problem.field === 'maxQuantity' && data.maxQuantity === data.minQuantity;
          const path = isOne ? 'amount' : FIELDS[problem.field]!;
          context.addIssue({ code: 'custom', path: [path], message: problem.message });
        }
      }),
  ),
});
