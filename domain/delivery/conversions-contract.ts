/** The calls of conversions and of the results of an ad. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { bodyReference, money, reference, referenceParams } from '../fields.ts';
import { centsOf, CURRENCIES, decimalOf } from '../money.ts';
import { MAX_VALUE_CENTS, RANGES } from './conversions.ts';

const TOKEN_REQUIRED = 'Send the value of osid from the address of the landing page, unchanged';
const VALUE = 'Send value as an amount from 0.00 to 1,000,000.00 with at most two decimals, such as "49.90"';
const CURRENCY = 'Send currency as the code of this marketplace’s currency, in three letters';
const ORDER = 'Send order as a text of 1 to 100 characters';

/** Cents. A script may send the amount as a number. */
const value = z
  .union([z.string(VALUE), z.number(VALUE).transform(String)], VALUE)
  .refine((text) => /^\d{1,7}(\.\d{1,2})?$/.test(text), VALUE)
  .transform((text) => centsOf(decimalOf(Math.round(Number(text) * 100))))
  .refine((cents) => cents <= MAX_VALUE_CENTS, VALUE);

export const reportConversion = endpoint({
  method: 'POST',
  path: '/api/serve/conversions',
  summary:
    'Reports what a visitor did after a measured click, such as an order; the value and the order number are optional, and an order counts once',
  body: z.object({
    osid: z.string(TOKEN_REQUIRED).min(1, TOKEN_REQUIRED).max(200, TOKEN_REQUIRED),
    value: value.nullish(),
    currency: z.string(CURRENCY).max(10, CURRENCY).nullish(),
    order: z
      .union([z.string(ORDER), z.number(ORDER).transform(String)], ORDER)
      .refine((text) => text.length > 0 && text.length <= 100, ORDER)
      .nullish(),
    /** The ad that the token must belong to. */
    ad: bodyReference.optional(),
  }),
  reply: z.object({
    counted: z.boolean(),
    /** Why it was not counted; absent if it was. */
    reason: z.enum(['order', 'token', 'robot', 'window']).optional(),
  }),
});

const creativeResults = z.object({
  /** The public id of the ad, or of its second creative. */
  ref: z.string(),
  title: z.string(),
  impressions: z.number().int(),
  clicks: z.number().int(),
  landings: z.number().int(),
  conversions: z.number().int(),
});
export type CreativeResults = z.output<typeof creativeResults>;

export const getResults = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/results',
  summary: 'What one of your own ads brought: clicks, landings, conversions, and the cost of each',
  params: referenceParams,
  reply: z.object({
    clicks: z.number().int(),
    landings: z.number().int(),
    conversions: z.number().int(),
    /** The sum of the values that were sent. */
    value: money,
    currency: z.enum(CURRENCIES),
    /** The delivered money divided by the number of each. Null without any. */
    costPerLanding: money.nullable(),
    costPerConversion: money.nullable(),
    windowDays: z.number().int(),
    /** Whether there are more conversions than counted clicks. */
    flagged: z.boolean(),
    /**
     * The two creatives that the campaign shows in turn, or the last two that it has shown, the first one first: what was
     * counted while both were shown. Empty for a campaign with one creative.
     */
    creatives: z.array(creativeResults),
    /** The `ref` of the creative that has more clicks per view by more than chance; null if none has (RES-46). */
    verdict: z.string().nullable(),
  }),
});
export type Results = Reply<typeof getResults>;

export const getZoneResults = endpoint({
  method: 'GET',
  path: '/api/analytics/results',
  summary: 'The landings and conversions of one of your own ad zones, as ranges',
  query: z.object({
    side: z.literal('seller', 'Only publishers see results by ad zone. Send side=seller'),
    zone: reference,
  }),
  reply: z.object({ landings: z.enum(RANGES), conversions: z.enum(RANGES) }),
});
