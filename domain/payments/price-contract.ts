import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { money, referenceParams } from '../fields.ts';
import { COUNTRY_CODES } from '../countries.ts';
import { TAX_REASONS } from './tax.ts';

/** The parts of a price, before the payment and after it. [OWNS-68] */
export const getAdPrice = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/price',
  summary: 'What the price of an ad consists of for a country: net amount, tax, fee and earnings',
  params: referenceParams,
  query: z.object({
    /** By default that of the advertiser's settings. With a tax table, one of them is required. */
    country: z.enum(COUNTRY_CODES, 'Give the country as its two-letter code, such as DE.').optional(),
    taxId: z.string().trim().max(50).optional(),
  }),
  reply: z.object({
    /** price = net + tax. With `TAX_SPLIT=net`, net = fee + earnings, else price = fee + earnings. */
    price: money,
    net: money,
    tax: money,
    /** In percent, such as '19.00'; null if no tax is shown. */
    taxRate: z.string().nullable(),
    taxCountry: z.string().nullable(),
    taxReason: z.enum(TAX_REASONS).nullable(),
    sentence: z.string().nullable(),
    fee: money,
    commissionPercent: z.number(),
    earnings: money,
    /** The card provider's fee that a cancel costs the advertiser. */
    cancelFee: money,
    cancelSentence: z.string().nullable(),
  }),
});
export type AdPrice = Reply<typeof getAdPrice>;
