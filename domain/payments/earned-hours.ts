/**
 * Dates the earnings of an ad by the hours of their delivery. The ledger dates an accrual by its end, but a period
 * between two accruals can have several hours, or days after an outage. Times are milliseconds since 1970. [FIG-01]
 */
import type { Stretch } from '../ads/delivered.ts';
import { hourOf, SECOND_MS } from '../time.ts';
import type { Shares } from './refunds.ts';

/** Units that were delivered in the hour that begins at `hour`. */
export type HourUnits = { hour: number; units: number };

/** Earnings in cents, dated by the hour that begins at `hour`. */
export type HourEarnings = Shares & { hour: number };

/** The last `seconds` of the delivered time, by hour, the oldest first. */
export function secondsByHour(stretches: readonly Stretch[], seconds: number): HourUnits[] {
  const hours: HourUnits[] = [];
  let left = seconds * SECOND_MS;
  for (const { from, to } of stretches.toReversed()) {
    for (let end = to; end > from && left > 0;) {
      const hour = hourOf(end - 1);
      const begin = Math.max(hour, from);
      const taken = Math.min(left, end - begin);
      hours.unshift({ hour, units: taken / SECOND_MS });
      left -= taken;
      end = begin;
    }
  }
  return hours;
}

/**
 * The units of views or clicks between two accruals, by hour, the oldest first. `counted` has the events of the hours
 * after the one of the accrual before, `from`. The rest was counted in that hour. If the rest is negative, earlier
 * traffic was withdrawn, which is dated by the hour of `to`.
 */
export function eventsByHour(
  counted: readonly HourUnits[],
  units: number,
  { from, to }: { from: Date; to: Date },
): HourUnits[] {
  const rest = units - counted.reduce((sum, each) => sum + each.units, 0);
  const first = { hour: hourOf(from.getTime()), units: rest };
  return rest < 0 ? [...counted, { hour: hourOf(to.getTime()), units: rest }] : [first, ...counted];
}

/**
 * The change from `before` to `after`, by hour. `earnedAt` says what is earned after a number of units. The parts add
 * up exactly: rounding, and what no hour explains, is dated by the hour of `at`.
 */
export function earnedByHour(
  hours: readonly HourUnits[],
  earnedAt: (units: number) => Shares,
  { before, after, at }: { before: Shares & { units: number }; after: Shares; at: Date },
): HourEarnings[] {
  const byHour = new Map<number, Shares>();
  let known: Shares = before;
  let units = before.units;
  const add = (hour: number, until: Shares) => {
    const sum = byHour.get(hour) ?? { publisherCents: 0, commissionCents: 0 };
    byHour.set(hour, {
      publisherCents: sum.publisherCents + until.publisherCents - known.publisherCents,
      commissionCents: sum.commissionCents + until.commissionCents - known.commissionCents,
    });
    known = until;
  };
  const last = hours.length - 1;
  for (const [place, each] of hours.entries()) {
    units += each.units;
    add(each.hour, place === last ? after : earnedAt(Math.max(0, Math.floor(units))));
  }
  if (hours.length === 0) add(hourOf(at.getTime()), after);
  return [...byHour]
    .filter(([, { publisherCents, commissionCents }]) => publisherCents !== 0 || commissionCents !== 0)
    .map(([hour, shares]) => ({ hour, ...shares }));
}
