import { dayIn, daysBefore } from '#domain/analytics/days.ts';
import { csvOf } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import {
  DEFAULT_DAYS,
  figuresOf,
  MAX_DAYS,
  type Overview,
  type PeriodFigures,
} from '#domain/operator/overview.ts';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot, type Tx } from '#server/platform/database/database.ts';
import { findTaxOwed, findUncovered } from '#server/money/books/books.ts';
import { countPeople, type DaySums, medianHoursToApproval, type Range, sumByDay } from './store-overview.ts';
import { addDays } from '#domain/time.ts';

/** The number of days that a person asked for, 30 if they did not; null for anything but a whole number from 1 to 366. */
export function daysOf(text: string | undefined): number | null {
  if (text === undefined) return DEFAULT_DAYS;
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= MAX_DAYS ? days : null;
}

/**
 * The business in the last `days` UTC days, today included, and in as many days before. Money is that of the present
 * book. Earnings are those that are posted, which is done every hour.
 */
export async function readOverview(ctx: Context, days: number): Promise<Overview> {
  const to = dayIn('UTC', ctx.now());
  const period = { from: addDays(to, 1 - days), to };
  const before = daysBefore(period);
  const { book } = ctx.payments;
  const uncovered = await findUncovered(ctx);
  return await inSnapshot(ctx.db, async (tx) => {
    const taxOwed = await findTaxOwed(tx, { book, currency: ctx.config.currency });
    const { days: rows, ...figures } = await readPeriod(tx, { ...period, book });
    const { days: _, ...previous } = await readPeriod(tx, { ...before, book });
    return {
      ...period,
      currency: ctx.config.currency,
      ...figures,
      uncovered: decimalOf(uncovered),
      taxOwed: decimalOf(taxOwed),
      previous: { ...before, ...previous },
      days: rows.map(({ day, sales, commission }) => ({
        day,
        sales: decimalOf(sales),
        revenue: decimalOf(commission),
      })),
    };
  });
}

async function readPeriod(tx: Tx, range: Range): Promise<PeriodFigures & { days: DaySums[] }> {
  const days = await sumByDay(tx, range);
  const people = await countPeople(tx, range);
  const hours = await medianHoursToApproval(tx, range);
  const sum = (name: Exclude<keyof DaySums, 'day'>) => days.reduce((total, row) => total + row[name], 0);
  return {
    sales: decimalOf(sum('sales')),
    revenue: decimalOf(sum('commission')),
    takeRate: shareOf(sum('commission'), sum('earned')),
    publishers: { active: people.activePublishers, new: people.newPublishers },
    advertisers: { active: people.activeAdvertisers, new: people.newAdvertisers },
    fill: shareOf(sum('filled'), sum('requests')),
    hoursToApproval: hours === null ? null : Math.round(hours * 10) / 10,
    refunds: decimalOf(sum('refunds')),
    invalidShare: shareOf(sum('invalid'), sum('reported')),
    days,
  };
}

/** To four places; null if there is nothing to divide by. More can be taken back in a period than is delivered in it. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}

/** The figures as a CSV file, with the names and values of `openslot overview --json`. */
export function overviewCsv(overview: Overview): string {
  const { from, to, previous } = overview;
  return csvOf(
    ['figure', 'value', 'previous'],
    [
      ['from', from, previous.from],
      ['to', to, previous.to],
      ...figuresOf(overview).map((figure) => [figure.name, figure.value, figure.previous ?? null]),
      ['currency', overview.currency, overview.currency],
    ],
  );
}
