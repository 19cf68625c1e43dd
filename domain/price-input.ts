/** Reads a price as people type it. The API stays strict: it accepts what `readPrice` returns. */
import { currencySymbol, type Currency } from './money.ts';

/** Formatting characters that say nothing about the amount: spaces of all kinds and apostrophes between thousands. */
const NOISE = /[\s'’]/g;

/**
 * '10,50', '$10', '1,000.00', '1.000,00' and '10 USD' as '10.50', '10', '1000.00', '1000.00' and '10'. The sign or code
 * of another currency than `currency` is refused. A comma before exactly three digits separates thousands, as the
 * interface writes them. Returns null for a text that is no amount or could be two.
 */
export function readPrice(typed: string, currency: Currency): string | null {
  const amount = withoutCurrency(typed.replaceAll(NOISE, ''), currency);
  const plain = amount.replace(/^(-?)[.,](?=\d{1,2}$)/, '$10.');
  if (/^-?\d+$/.test(plain)) return plain;
  // One separator with one or two digits after it, or none: '12.50', '12,5', '12.'.
  const decimal = /^(-?\d+)[.,](\d{0,2})$/.exec(plain);
  if (decimal) return decimal[2] === '' ? (decimal[1] ?? null) : `${decimal[1]}.${decimal[2]}`;
  return thousands(plain, ',', '.') ?? (plain.includes(',') ? thousands(plain, '.', ',') : null);
}

/** The error for a text that `readPrice` cannot read. */
export const PRICE_EXAMPLE = 'Enter a price like 12.50 or 1,000';

function withoutCurrency(text: string, currency: Currency): string {
  for (const name of [currency, currencySymbol(currency), currencySymbol(currency).slice(-1)]) {
    const upper = text.toUpperCase();
    if (upper.startsWith(name)) return text.slice(name.length);
    if (upper.endsWith(name)) return text.slice(0, -name.length);
  }
  return text;
}

/** '1,000,000.50' with ',' between thousands and '.' before cents. */
function thousands(text: string, separator: ',' | '.', point: ',' | '.'): string | null {
  const [whole = '', cents, ...more] = text.split(point);
  const isGrouped = new RegExp(String.raw`^-?\d{1,3}(?:[${separator}]\d{3})+$`).test(whole);
  if (!isGrouped || more.length > 0 || (cents !== undefined && !/^\d{0,2}$/.test(cents))) return null;
  return whole.replaceAll(separator, '') + (cents ? `.${cents}` : '');
}
