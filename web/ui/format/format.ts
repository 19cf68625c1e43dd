/** Formats figures and dates. The interface is in English, so the locale is fixed. */
import { countText } from '#domain/format.ts';
import { currencySymbol, DEFAULT_CURRENCY } from '#domain/money.ts';
import { once } from '#domain/once.ts';
import { dateFormat } from '#domain/date-format.ts';
import { SETTINGS } from './settings.ts';

const LOCALE = 'en-US';

/** The currency of this marketplace. */
export const CURRENCY = SETTINGS?.currency ?? DEFAULT_CURRENCY;

/**
 * The symbol before a whole amount in a drawing. The build renders public pages without knowing the currency, so it writes
 * a placeholder that the server replaces (server/platform/http/web-app/built-pages.ts).
 */
export const SYMBOL = SETTINGS ? currencySymbol(CURRENCY) : '%SYMBOL%';

// Browsers load their language data with the first formatter, which can take longer than the rest of a page's script.
// Pages without a figure or a date do not wait for it.
const money = once(() => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: CURRENCY }));

// The device's timezone, until a user signs in.
let { date, dateTime, time } = formatsIn(undefined);

/**
 * Sets the timezone of all dates to an IANA name; undefined means the device's timezone. A page shows the change when
 * it renders again.
 */
export function setTimezone(timeZone: string | undefined): void {
  ({ date, dateTime, time } = formatsIn(timeZone));
}

function formatsIn(timeZone: string | undefined) {
  return {
    date: once(() => dateFormat(LOCALE, { dateStyle: 'medium', timeZone })),
    // Name the timezone, because the user's setting may differ from the device's clock.
    dateTime: once(() =>
      dateFormat(LOCALE, {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
        timeZone,
      }),
    ),
    time: once(() => dateFormat(LOCALE, { timeStyle: 'medium', timeZone })),
  };
}

/**
 * A decimal string such as '1234.5' as '$1,234.50', in the marketplace's currency. Null, undefined and a text that is
 * no number become '$0.00'.
 */
export function formatMoney(decimal: string | number | null | undefined): string {
  const value = Number(decimal ?? 0);
  return money().format(Number.isFinite(value) ? value : 0);
}

export function formatCount(value: number | null | undefined): string {
  return countText(value ?? 0);
}

/** An ISO 8601 instant as 'Nov 21, 2026' in the user's timezone; null and undefined become a dash. */
export function formatDate(instant: string | null | undefined): string {
  return instant ? date().format(new Date(instant)) : '–';
}

const utcDate = once(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' }));

/** A day of an ad, such as '2026-11-21', as 'Nov 21, 2026'. It begins at 00:00 UTC, whatever the user's timezone is. */
export function formatDay(day: string): string {
  return utcDate().format(new Date(day));
}

const utcWeekday = once(
  () =>
    new Intl.DateTimeFormat(LOCALE, { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }),
);

/** A day of an ad in the next months, as 'Mon, Nov 30'. */
export function formatWeekday(day: string): string {
  return utcWeekday().format(new Date(day));
}

/** 'Nov 21, 2026, 3:04 PM UTC' */
export function formatDateTime(instant: string | null | undefined): string {
  return instant ? dateTime().format(new Date(instant)) : '–';
}

/** '3:04 PM' by the device's own clock, for an operator who sees the dates of somebody in another timezone. */
export function formatClock(instant: string): string {
  return clock().format(new Date(instant));
}

const clock = once(() => new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' }));

/** '3:04:05 PM', for an event of today. */
export function formatTime(instant: string): string {
  return time().format(new Date(instant));
}
