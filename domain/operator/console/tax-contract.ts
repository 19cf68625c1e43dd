/** The calls of the console's page about the tax rates. [BOOK-242] */
import { z } from 'zod';
import { COUNTRY_CODES } from '../../countries.ts';
import { endpoint } from '../../endpoint.ts';
import { TAXED_BUYERS } from '../../payments/tax-quote.ts';
import { offeredAct } from './act-contract.ts';

/** A table of all countries with a change and a sentence each is shorter. */
export const MAX_TAX_TABLE = 200_000;

const rule = z.object({
  /** Null for the first rule of a country. */
  from: z.iso.date().nullable(),
  /** '19.00' */
  rate: z.string(),
  business: z.enum(['charge', 'reverse_charge']),
  reason: z.literal('not_taxed').nullable(),
  sentence: z.string().nullable(),
});
export type ShownTaxRule = z.output<typeof rule>;

const table = z.object({
  /** The country of the marketplace; null if the table does not name it. */
  seller: z.enum(COUNTRY_CODES).nullable(),
  countries: z.array(z.object({ country: z.enum(COUNTRY_CODES), rules: z.array(rule) })),
  /** Of all other countries; null if no tax is shown there. */
  others: z.array(rule).nullable(),
});
export type ShownTaxTable = z.output<typeof table>;

export const getTaxRates = endpoint({
  method: 'GET',
  path: '/api/operator/tax',
  summary: 'The tax rates of today, and those that come',
  reply: z.object({
    /** Null: no tax is shown. */
    table: table.nullable(),
    /** The country of the seller on documents (SELLER_COUNTRY), for a first table. */
    sellerCountry: z.enum(COUNTRY_CODES).nullable(),
    /** Where the table is. A file can't be changed in the console. */
    source: z.enum(['file', 'database', 'none']),
    /** Sent back with a change. */
    version: z.string(),
    /** In `timeZone`, where new rates begin at midnight. */
    today: z.iso.date(),
    timeZone: z.string(),
    /** To save a table, and to remove it. */
    acts: z.array(offeredAct),
  }),
});

/** A POST, because the table that it tries may be longer than an address. It changes nothing. */
export const quoteTax = endpoint({
  method: 'POST',
  path: '/api/operator/tax/quote',
  summary: 'Says what an advertiser pays by the tax table, or by another one that is not saved',
  body: z.object({
    country: z.enum(COUNTRY_CODES, 'Choose a country'),
    buyer: z.enum(TAXED_BUYERS),
    price: z.string().regex(/^\d{1,6}\.\d{2}$/, 'Enter a price such as 100.00'),
    /** Today without it. */
    day: z.iso.date('Enter a day such as 2027-07-01').optional(),
    /** As TAX_RATES_FILE has it. Without it the table in force is used. */
    table: z.string().max(MAX_TAX_TABLE).optional(),
  }),
  reply: z.object({ sentence: z.string() }),
});
