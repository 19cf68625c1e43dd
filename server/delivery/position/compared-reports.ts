import { sql } from 'kysely';
import {
  BEFORE_DAYS_OF_REPORTS,
  MIN_COMPARED_REPORTS,
  RECENT_DAYS,
  type Reported,
} from '#domain/analytics/position.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isOnFirstScreen, medianOf } from './places.ts';

/** Of each of the two periods, the newest ones, so that a look at many ad zones stays cheap. */
export const MAX_COMPARED_REPORTS = 200;

type Periods = { recent?: Reported; before?: Reported };

/**
 * The figures of these ad zones' reports in the last whole UTC days, and in the days before. A period with too few reports
 * is missing.
 */
export async function comparedReports(
  tx: Tx,
  zoneIds: readonly number[],
  now: Date,
): Promise<(zoneId: number) => Periods> {
  const end = new Date(`${utcDay(now)}T00:00:00Z`);
  const change = later(end, -RECENT_DAYS * DAY_MS);
  const start = later(change, -BEFORE_DAYS_OF_REPORTS * DAY_MS);
  const newest = (period: keyof Periods, since: Date, until: Date) => sql`
    (select ${sql.lit(period)} as period, * from placement_reports
      where zone_id = own.id and reported_at >= ${since} and reported_at < ${until}
      order by reported_at desc
      limit ${MAX_COMPARED_REPORTS})`;
  const { rows } = await sql<Reported & { zoneId: number; period: keyof Periods }>`
    select own.id as "zoneId", r.period, ${medianOf('in_view_ms')}::float8 / 1000 as "secondsInView",
        avg(${isOnFirstScreen}::integer)::float8 as "firstScreen"
      from unnest(${zoneIds}::integer[]) as own (id)
      cross join lateral (
        ${newest('recent', change, end)} union all ${newest('before', start, change)}) as r
      group by 1, 2
      having count(*) >= ${MIN_COMPARED_REPORTS}`.execute(tx);
  const byZone = Map.groupBy(rows, ({ zoneId }) => zoneId);
  return (zoneId) =>
    Object.fromEntries((byZone.get(zoneId) ?? []).map(({ period, ...reported }) => [period, reported]));
}
