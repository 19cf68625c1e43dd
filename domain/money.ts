/** In code, money is integer cents. On the wire it is a string with two decimals. It is never a float. */

/**
 * The currencies that a marketplace can sell in: one of them, the setting CURRENCY. A user's choice in Settings is a
 * stored preference without effect. [OP-100]
 */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The currency of a marketplace that does not set CURRENCY. */
export const DEFAULT_CURRENCY: Currency = 'USD';

/** The symbol before an amount. */
const SYMBOLS: Readonly<Record<Currency, string>> = { USD: '$', EUR: '€', GBP: '£', CAD: 'CA$', AUD: 'A$' };

/** '19.99' -> 1999. Throws RangeError for anything but a decimal with at most two places. */
export function centsOf(decimal: string): number {
  const parts = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!parts) throw new RangeError(`Not an amount of money: ${decimal}`);
  const cents = Number(parts[2]) * 100 + Number((parts[3] ?? '').padEnd(2, '0'));
  return parts[1] === '-' ? -cents : cents;
}

/** 1999 -> '19.99'. Throws RangeError unless `cents` is an integer. */
export function decimalOf(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`Not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** '1234.5' in USD as '$1,234.50', in CAD as 'CA$1,234.50'. Throws RangeError for anything but a decimal. */
export function moneyText(decimal: string, currency: Currency): string {
  const cents = centsOf(decimal);
  // As Intl.NumberFormat writes it in English, the language of the interface. It takes fifty times as long, which delays
  // the start of a server, because each ad zone has a price.
  const amount = decimalOf(Math.abs(cents)).replaceAll(/\B(?=(\d{3})+\.)/g, ',');
  return `${cents < 0 ? '-' : ''}${SYMBOLS[currency]}${amount}`;
}

/** The symbol before an amount: '$', '€', 'CA$'. A list, because pages without an amount load no language data. */
export function currencySymbol(currency: Currency): string {
  return SYMBOLS[currency];
}

/** Divides non-negative integers and rounds half up. A product that a number does not hold exactly is given as a bigint. */
export function divideHalfUp(numerator: number | bigint, denominator: number | bigint): number {
  const [above, below] = [BigInt(numerator), BigInt(denominator)];
  return Number((2n * above + below) / (2n * below));
}
