/** The tax that a price contains. Rates are in thousandths of a percent, so that 8.1 % and 14.975 % are whole numbers. */
import { divideHalfUp } from '../money.ts';
import { splitPrice } from './split.ts';

/** Why an advertiser is charged no tax. */
export const TAX_REASONS = ['reverse_charge', 'not_taxed'] as const;
export type TaxReason = (typeof TAX_REASONS)[number];

/** Whether the commission is of the net amount or of the price. */
export const TAX_SPLITS = ['net', 'gross'] as const;
export type TaxSplit = (typeof TAX_SPLITS)[number];

/** The rate of a country from a day on, and whether a business with a tax number accounts for the tax itself. */
export type TaxRule = {
  /** YYYY-MM-DD, from midnight in the time zone of the marketplace. Null for the first rule. */
  from: string | null;
  rate: number;
  business: 'charge' | 'reverse_charge';
  reason: 'not_taxed' | null;
  sentence: string | null;
};

/** In the order of their days. The first one has no day, so that a rule is in force at any time. */
export type TaxRules = readonly [TaxRule, ...TaxRule[]];

/**
 * By the country of the advertiser (ISO 3166-1 alpha-2). `default` is for all other countries. `seller` is the country of
 * the marketplace; null if the table does not name it.
 */
export type TaxTable = {
  seller: string | null;
  countries: Readonly<Record<string, TaxRules>>;
  default: TaxRules | null;
};

/** The tax of one sale. The rate is in thousandths of a percent. */
export type Tax = { country: string; rate: number; reason: TaxReason | null; sentence: string | null };

export const HUNDRED_PERCENT = 100_000;

/** NaN if it is no percentage in quotes. */
function rateIn(percent: unknown): number {
  const parts = typeof percent === 'string' ? /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(percent) : null;
  return parts ? Number(parts[1]) * 1000 + Number((parts[2] ?? '').padEnd(3, '0')) : NaN;
}

/** The rule that is in force on a day, YYYY-MM-DD. */
export const ruleOn = (rules: TaxRules, day: string): TaxRule =>
  rules.findLast(({ from }) => from !== null && from <= day) ?? rules[0];

/**
 * The tax for an advertiser on a day, YYYY-MM-DD in the time zone of the marketplace; null if no tax is shown, because there
 * is no table or no rule for the country. [OWNS-131]
 */
export function taxFor(
  table: TaxTable | null,
  { country, isBusiness, day }: { country: string; isBusiness: boolean; day: string },
): Tax | null {
  const own = table && Object.hasOwn(table.countries, country) ? table.countries[country] : undefined;
  const rules = own ?? table?.default ?? null;
  if (rules === null) return null;
  const rule = ruleOn(rules, day);
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
  {
    country,
    chargesTax,
    isBusiness,
    day,
  }: { country: string; chargesTax: boolean; isBusiness: boolean; day: string },
): { tax: Tax | null; isAbroad: boolean } {
  const isAbroad = table !== null && table.seller !== null && table.seller !== country;
  if (!isAbroad)
    return { tax: chargesTax ? taxFor(table, { country, isBusiness: false, day }) : null, isAbroad };
  const tax = isBusiness ? taxFor(table, { country, isBusiness, day }) : null;
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
