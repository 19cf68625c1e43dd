/** A period of days for the books and the documents, such as a month, a quarter or a year. */
import { addDays, utcDay } from '../time.ts';

/** The first and the last day, both 'YYYY-MM-DD' and both inside. */
export type Period = { from: string; to: string };

/** A period as people write it: a year, or its first and its last day. */
export type PeriodText = { year?: string | undefined; from?: string | undefined; to?: string | undefined };

/**
 * Reads `year`, or `from` and `to`. `today` is the present day. A year may be the present one, but no day may be in the
 * future. A period has at most a year, so that each of its quarters is one quarter. Throws RangeError with a message that
 * begins with the name of the option.
 */
export function periodOf({ year, from, to }: PeriodText, today: string): Period {
  if (year !== undefined) {
    if (from !== undefined || to !== undefined)
      throw new RangeError('--year: leave it out with --from and --to.');
    if (!/^20\d{2}$/.test(year) || year > today.slice(0, 4))
      throw new RangeError('--year: expected a year that has begun, such as 2026.');
    return { from: `${year}-01-01`, to: `${year}-12-31` };
  }
  if (from === undefined && to === undefined)
    throw new RangeError('Name a year with --year, such as --year 2026, or a period with --from and --to.');
  const period = { from: dayOf('--from', from), to: dayOf('--to', to) };
  if (period.from > period.to) throw new RangeError('--to: it is before --from.');
  if (period.to > today) throw new RangeError(`--to: this day has not come yet. Today is ${today}.`);
  if (period.to >= `${Number(period.from.slice(0, 4)) + 1}${period.from.slice(4)}`)
    throw new RangeError('--to: a period has at most one year.');
  return period;
}

function dayOf(option: string, text: string | undefined): string {
  if (text === undefined || !isDay(text))
    throw new RangeError(`${option}: expected a day, such as 2026-03-31.`);
  return text;
}

/** Whether a text is a day of this century that exists, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const day = /^20\d{2}-\d{2}-\d{2}$/.test(text) ? new Date(text) : null;
  // 30 February would be read as 2 March.
  return day !== null && !Number.isNaN(day.getTime()) && utcDay(day) === text;
}

/** The day after the last one of a period. */
export const dayAfter = ({ to }: Period): string => addDays(to, 1);

/** The quarter of a day, such as '2027-Q2'. */
export const quarterOf = (day: string): string =>
  `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

/** Returns what names the day of an instant in a time zone, 'YYYY-MM-DD'. */
export function daysIn(timeZone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    numberingSystem: 'latn',
    calendar: 'gregory',
  });
  return (instant) => {
    const parts = format.formatToParts(instant);
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value;
    return `${part('year')}-${part('month')}-${part('day')}`;
  };
}
