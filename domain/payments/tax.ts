/** The tax that a price contains. Rates are in thousandths of a percent, so that 8.1 % and 14.975 % are whole numbers. */
import { COUNTRY_CODES } from '../countries.ts';
import { divideHalfUp } from '../money.ts';
import { splitPrice } from './split.ts';

/** Why an advertiser is charged no tax. */
export const TAX_REASONS = ['reverse_charge', 'not_taxed'] as const;
export type TaxReason = (typeof TAX_REASONS)[number];

/** Whether the commission is of the net amount or of the price. */
export const TAX_SPLITS = ['net', 'gross'] as const;
export type TaxSplit = (typeof TAX_SPLITS)[number];

/** The rate of a country, and whether a business with a tax number accounts for the tax itself. */
type TaxRule = {
  rate: number;
  business: 'charge' | 'reverse_charge';
  reason: 'not_taxed' | null;
  sentence: string | null;
};

/**
 * By the country of the advertiser (ISO 3166-1 alpha-2). `default` is for all other countries. `seller` is the country of
 * the marketplace; null if the table does not name it.
 */
export type TaxTable = {
  seller: string | null;
  countries: Readonly<Record<string, TaxRule>>;
  default: TaxRule | null;
};

/** The tax of one sale. The rate is in thousandths of a percent. */
export type Tax = { country: string; rate: number; reason: TaxReason | null; sentence: string | null };

const HUNDRED_PERCENT = 100_000;
const EXAMPLE = '{"default": "0.00", "DE": "19.00"}';

/**
 * Reads the table of TAX_RATES_FILE: version 2, or a list of rates such as `{"default": "0.00", "DE": "19.00"}`, by which
 * everybody is charged. Throws RangeError with a message that begins with 'must', because the caller puts the name of the
 * setting before it. [OWNS-64]
 */
export function parseTaxTable(text: string): TaxTable {
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw new RangeError(`must name a file of JSON, such as ${EXAMPLE}`);
  }
  if (!isObject(table)) throw new RangeError(`must name a file with one JSON object, such as ${EXAMPLE}`);
  requireEachOnce(text);
  return 'version' in table ? tableOf(table) : listOf(table);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON.parse keeps the last of two entries of one country, so the text itself is read. */
function requireEachOnce(text: string): void {
  const seen = new Set<string>();
  for (const [, name = ''] of text.matchAll(/(?<!\\)"([A-Z]{2}|default|countries|version|seller)"\s*:/g)) {
    if (seen.has(name)) throw new RangeError(`must name “${name}” only once`);
    seen.add(name);
  }
}

function listOf(table: Record<string, unknown>): TaxTable {
  const rules = Object.entries(table).map(([country, percent]) => {
    if (country !== 'default') requireCountry(country);
    const rate = rateIn(percent);
    // A JSON number would be a float, and rates are exact.
    if (!(rate <= HUNDRED_PERCENT))
      throw new RangeError(`must give “${country}” a percentage from "0.00" to "100.00", in quotes`);
    return [country, { rate, business: 'charge', reason: null, sentence: null }] as const;
  });
  const { default: fallback = null, ...countries } = Object.fromEntries<TaxRule>(rules);
  return { seller: null, countries, default: fallback };
}

function tableOf({
  version,
  seller,
  countries,
  default: fallback,
  ...more
}: Record<string, unknown>): TaxTable {
  if (version !== 2) throw new RangeError('must have "version": 2, or be a list of rates without a version');
  const [foreign] = Object.keys(more);
  if (foreign !== undefined)
    throw new RangeError(`must have only version, seller, countries and default instead of “${foreign}”`);
  if (typeof seller !== 'string') throw new RangeError('must name your own country as "seller"');
  requireCountry(seller);
  if (!isObject(countries))
    throw new RangeError('must have an object "countries" with a rule for each country');
  return {
    seller,
    countries: Object.fromEntries(
      Object.entries(countries).map(([country, rule]) => {
        requireCountry(country);
        return [country, ruleOf(country, rule)];
      }),
    ),
    default: fallback === undefined ? null : ruleOf('default', fallback),
  };
}

function ruleOf(country: string, rule: unknown): TaxRule {
  if (!isObject(rule)) throw new RangeError(`must give “${country}” an object, such as {"rate": "19.00"}`);
  const { rate: percent, business = 'charge', reason = null, sentence = null, ...more } = rule;
  const [foreign] = Object.keys(more);
  if (foreign !== undefined)
    throw new RangeError(
      `must give “${country}” only rate, business, reason and sentence instead of “${foreign}”`,
    );
  const rate = rateIn(percent);
  if (!(rate < HUNDRED_PERCENT))
    throw new RangeError(`must give “${country}” a rate from "0.00" to "99.99", in quotes`);
  if (business !== 'charge' && business !== 'reverse_charge')
    throw new RangeError(`must give “${country}” the business "charge" or "reverse_charge"`);
  if (reason !== null && (reason !== 'not_taxed' || rate !== 0))
    throw new RangeError(`must give “${country}” the reason "not_taxed" with the rate "0.00", or none`);
  const isSentence = typeof sentence === 'string' && sentence.trim() !== '' && sentence.length <= 300;
  if (sentence !== null && !isSentence)
    throw new RangeError(`must give “${country}” a sentence of 1 to 300 characters`);
  if (business === 'reverse_charge' && sentence === null)
    throw new RangeError(`must give “${country}” a sentence about the reverse charge`);
  return { rate, business, reason, sentence };
}

function requireCountry(country: string): void {
  if (!COUNTRY_CODES.includes(country))
    throw new RangeError(`must name countries by two capital letters (ISO 3166-1) instead of “${country}”`);
}

/** NaN if it is no percentage in quotes. */
function rateIn(percent: unknown): number {
  const parts = typeof percent === 'string' ? /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(percent) : null;
  return parts ? Number(parts[1]) * 1000 + Number((parts[2] ?? '').padEnd(3, '0')) : NaN;
}

/** The tax for an advertiser; null if no tax is shown, because there is no table or no rule for the country. */
export function taxFor(
  table: TaxTable | null,
  { country, isBusiness }: { country: string; isBusiness: boolean },
): Tax | null {
  const own = table && Object.hasOwn(table.countries, country) ? table.countries[country] : undefined;
  const rule = own ?? table?.default ?? null;
  if (rule === null) return null;
  if (isBusiness && rule.business === 'reverse_charge')
    return { country, rate: 0, reason: 'reverse_charge', sentence: rule.sentence };
  // The sentence of a country with reverse charge is about the reverse charge.
  const sentence = rule.business === 'reverse_charge' ? null : rule.sentence;
  return { country, rate: rule.rate, reason: rule.reason, sentence };
}

/**
 * The tax of the ad space that a publisher supplies to the marketplace; null if none is shown. A publisher of the
 * marketplace's own country charges its tax, if they charge tax at all. For a supply between businesses of two countries,
 * the recipient owes the tax, where the rule of the publisher's country says "reverse_charge". Everywhere else abroad, no
 * tax is shown. [OWNS-126]
 */
export function taxOfSupply(
  table: TaxTable | null,
  { country, chargesTax, isBusiness }: { country: string; chargesTax: boolean; isBusiness: boolean },
): { tax: Tax | null; isAbroad: boolean } {
  const isAbroad = table !== null && table.seller !== null && table.seller !== country;
  if (!isAbroad) return { tax: chargesTax ? taxFor(table, { country, isBusiness: false }) : null, isAbroad };
  const tax = isBusiness ? taxFor(table, { country, isBusiness }) : null;
  return { tax: tax?.reason === 'reverse_charge' ? tax : null, isAbroad };
}

/** The parts of a price, in cents. `commissionCents` is what the publisher does not get: the fee, and tax beside or in it. */
export type TaxedPrice = {
  taxCents: number;
  feeCents: number;
  commissionCents: number;
  earningsCents: number;
};

/**
 * Splits a price that contains tax. `net`: the fee is of the net amount. `gross`: the fee is of the price, and the tax is
 * paid out of it. [OWNS-65]
 */
export function splitTaxed(
  priceCents: number,
  commissionPercent: number,
  { rate, split }: { rate: number; split: TaxSplit },
): TaxedPrice {
  const taxCents = containedTax(priceCents, rate);
  const base = split === 'net' ? priceCents - taxCents : priceCents;
  const { commissionCents: feeCents, earningsCents } = splitPrice(base, commissionPercent);
  return { taxCents, feeCents, commissionCents: priceCents - earningsCents, earningsCents };
}

/** The tax inside a price, in cents, rounded half up: 19 % of 119.00 is 19.00. */
export function containedTax(priceCents: number, rate: number): number {
  // The product of an amount and a rate may exceed the integers that a number holds exactly.
  return divideHalfUp(BigInt(priceCents) * BigInt(rate), BigInt(HUNDRED_PERCENT + rate));
}

/**
 * The tax of a sale that has gone back to the advertiser, once `backCents` of the price have: the tax inside that sum, so
 * that all parts add up however many there are.
 */
export function reversedTax(
  sale: { amountCents: number; taxCents: number; rate: number },
  backCents: number,
): number {
  return backCents >= sale.amountCents ? sale.taxCents : containedTax(backCents, sale.rate);
}

/** The tax inside the part of a sale that is neither delivered nor gone back: `leftCents` of the price. */
export function deferredTax(sale: { amountCents: number; taxCents: number }, leftCents: number): number {
  const gone = BigInt(sale.amountCents - leftCents);
  return sale.taxCents - Number((BigInt(sale.taxCents) * gone) / BigInt(sale.amountCents));
}

/** 19000 -> '19%', 8100 -> '8.1%' */
export function rateText(rate: number): string {
  return `${rate / 1000}%`;
}

/** 19000 -> '19.00', as a table has it. */
export function percentOf(rate: number): string {
  const [whole, part = ''] = String(rate / 1000).split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
}

/** '19.00' -> 19000; null if it is no rate. */
export function rateOfText(text: string): number | null {
  const rate = rateIn(text);
  return rate <= HUNDRED_PERCENT ? rate : null;
}
