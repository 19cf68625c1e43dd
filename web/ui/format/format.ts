/** How figures and dates look. The interface is English, so the locale is fixed and tests see what people see. */

const LOCALE = 'en-US';
const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' });
const count = new Intl.NumberFormat(LOCALE);

// Until somebody is signed in, the device's own.
let { date, dateTime, time } = formatsIn(undefined);

/**
 * From now on dates are those of this timezone (IANA name, ACCT-10); undefined is the device's own. Pages show it when
 * they are drawn again.
 */
export function setTimezone(timeZone: string | undefined): void {
  ({ date, dateTime, time } = formatsIn(timeZone));
}

function formatsIn(timeZone: string | undefined) {
  return {
    date: new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }),
    // It says which timezone, because it need not be the one of the clock beside the screen.
    dateTime: new Intl.DateTimeFormat(LOCALE, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      timeZone,
    }),
    time: new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', timeZone }),
  };
}

/** A decimal string of the wire ('1234.5') as '$1,234.50'. Nothing, or what is no number, is '$0.00'. */
export function formatMoney(decimal: string | number | null | undefined): string {
  const value = Number(decimal ?? 0);
  return money.format(Number.isFinite(value) ? value : 0);
}

export function formatCount(value: number | null | undefined): string {
  return count.format(value ?? 0);
}

/** '1 click', '1,200 clicks'. */
export function countOf(value: number, what: string): string {
  return `${formatCount(value)} ${what}${value === 1 ? '' : 's'}`;
}

/** An instant of the wire (ISO 8601) as 'Nov 21, 2026' in the reader's timezone; nothing as a dash. */
export function formatDate(instant: string | null | undefined): string {
  return instant ? date.format(new Date(instant)) : '–';
}

/** 'Nov 21, 2026, 3:04 PM UTC' */
export function formatDateTime(instant: string | null | undefined): string {
  return instant ? dateTime.format(new Date(instant)) : '–';
}

/** '3:04:05 PM', of something that has just happened. */
export function formatTime(instant: string): string {
  return time.format(new Date(instant));
}
