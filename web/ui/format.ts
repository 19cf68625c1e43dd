/** How figures and dates look. The interface is English, so the locale is fixed and tests see what people see. */

const LOCALE = 'en-US';
const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const count = new Intl.NumberFormat(LOCALE);
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });

/** A decimal string of the wire ('1234.5') as '$1,234.50'. Nothing, or what is no number, is '$0.00'. */
export function formatMoney(decimal: string | number | null | undefined): string {
  const value = Number(decimal ?? 0);
  return money.format(Number.isFinite(value) ? value : 0);
}

export function formatCount(value: number | null | undefined): string {
  return count.format(value ?? 0);
}

/** An instant of the wire (ISO 8601) as 'Nov 21, 2026' in the reader's time zone; nothing as a dash. */
export function formatDate(instant: string | null | undefined): string {
  return instant ? date.format(new Date(instant)) : '–';
}

export function formatDateTime(instant: string | null | undefined): string {
  return instant ? dateTime.format(new Date(instant)) : '–';
}
