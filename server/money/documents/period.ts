import { later, utcDay } from '#domain/time.ts';
import type { Document } from './store.ts';

/** First and last day in UTC, as YYYY-MM-DD. `to` is null if the end is open. */
export type Period = { from: string; to: string | null };

/** When the service of a document is or was provided; null if it never was, or if the document does not say. [OWNS-108] */
export function periodOf({ content, month }: Pick<Document, 'content' | 'month'>): Period | null {
  if ('sale' in content) return content.sale.period ?? null;
  if (month === null) return null;
  const [year, ordinal] = month.split('-').map(Number) as [number, number];
  // Day 0 is the last day of the month before.
  return { from: `${month}-01`, to: utcDay(new Date(Date.UTC(year, ordinal, 0))) };
}

/** The period of a campaign. It ends before `end`, so that midnight is still the day before. */
export function campaignPeriod(start: Date | null, end: Date | null): Period | null {
  if (start === null) return null;
  const last = end && utcDay(later(end, -1));
  const from = utcDay(start);
  // A campaign that was canceled before it began was to run on its first day.
  return { from, to: last !== null && last < from ? from : last };
}
