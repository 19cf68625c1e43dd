/** The tax that a price contains. Rates are in thousandths of a percent, so that 8.1 % and 14.975 % are whole numbers. */
import { COUNTRY_CODES } from '../countries.ts';

/** By the country of the advertiser (ISO 3166-1 alpha-2). `default` is for all other countries. */
export type TaxRates = Readonly<Record<string, number>>;

const HUNDRED_PERCENT = 100_000;

/**
 * Reads the table of TAX_RATES_FILE, such as `{"default": "0.00", "DE": "19.00"}`. Throws RangeError with a message
 * that begins with 'must', because the caller puts the name of the setting before it.
 */
export function parseTaxRates(text: string): TaxRates {
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw new RangeError('must name a file of JSON, such as {"default": "0.00", "DE": "19.00"}');
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw new RangeError('must name a file with one JSON object, such as {"default": "0.00", "DE": "19.00"}');
  return Object.fromEntries(
    Object.entries(table).map(([country, percent]) => {
      if (country !== 'default' && !COUNTRY_CODES.includes(country))
        throw new RangeError(
          `must name countries by two capital letters (ISO 3166-1) instead of “${country}”`,
        );
      return [country, rateIn(country, percent)];
    }),
  );
}

function rateIn(country: string, percent: unknown): number {
  const parts = typeof percent === 'string' ? /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(percent) : null;
  const rate = parts ? Number(parts[1]) * 1000 + Number((parts[2] ?? '').padEnd(3, '0')) : NaN;
  // A JSON number would be a float, and rates are exact.
  if (!(rate <= HUNDRED_PERCENT))
    throw new RangeError(`must give “${country}” a percentage from "0.00" to "100.00", in quotes`);
  return rate;
}

/** The rate for an advertiser; null if no tax is shown, because there is no table or no rate for the country. */
export function rateOf(rates: TaxRates | null, country: string | null): number | null {
  if (rates === null) return null;
  const own = country !== null && Object.hasOwn(rates, country) ? rates[country] : undefined;
  return own ?? rates['default'] ?? null;
}

/** The tax inside a price, in cents, rounded half up: 19 % of 119.00 is 19.00. */
export function containedTax(priceCents: number, rate: number): number {
  return divideHalfUp(BigInt(priceCents) * BigInt(rate), BigInt(HUNDRED_PERCENT + rate));
}

/**
 * The tax of a payment that its refunds have reversed, once `refundedCents` of `totalCents` are refunded. When all of it
 * is refunded, all of its tax is reversed.
 */
export function reversedTax(
  receipt: { totalCents: number; taxCents: number },
  refundedCents: number,
): number {
  return divideHalfUp(BigInt(receipt.taxCents) * BigInt(refundedCents), BigInt(receipt.totalCents));
}

// The product of an amount and a rate may exceed the integers that a number holds exactly.
function divideHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}

/** 19000 -> '19%', 8100 -> '8.1%' */
export function rateText(rate: number): string {
  return `${rate / 1000}%`;
}
