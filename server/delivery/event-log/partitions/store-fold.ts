import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** The row of job_hours that says which days are folded. */
const NAME = 'fold-hours';

/** The day that is folded next: the first one after those that were, or the oldest one. Null: there is none before `end`. */
export async function findFoldedUntil(tx: Tx, end: Date): Promise<Date | null> {
  const { rows } = await sql<{ day: Date | null }>`
    select coalesce(
      (select hour from job_hours where name = ${NAME}),
      (select date_trunc('day', min(hour), 'utc') from delivery_hourly where hour < ${end})) as day`.execute(
    tx,
  );
  return rows[0]!.day;
}

export async function noteFoldedUntil(tx: Tx, hour: Date): Promise<void> {
  await tx
    .insertInto('jobHours')
    .values({ name: NAME, hour })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ hour }))
    .execute();
}

const within = (day: Date, of: '' | 'd.' = '') => {
  const hour = sql.raw(`${of}hour`);
  return sql`${hour} >= ${day} and ${hour} < ${day}::timestamptz + interval '1 day'`;
};

export async function countHours(tx: Tx, day: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::float8 as n from delivery_hourly where ${within(day)}`.execute(tx);
  return rows[0]!.n;
}

/**
 * Adds the hours of a UTC day to the first of those that are on the same day for the publisher and for the advertiser, and
 * deletes the others. Returns how many it deleted. Leaves out ad zones with an ad whose earnings of that day are not posted
 * yet, because these are divided by the hour. The ads with one remainder are a slice. The days of `unknown` timezones are
 * those of UTC, as in the figures.
 */
export async function foldHoursOf(
  tx: Tx,
  day: Date,
  { slice, slices, unknown }: { slice: number; slices: number; unknown: readonly string[] },
): Promise<number> {
  const dayOf = (timezone: ReturnType<typeof sql>) =>
    sql`(d.hour at time zone coalesce(case when ${timezone} <> all(${unknown}::text[]) then ${timezone} end, 'UTC'))::date`;
  const { rows } = await sql<{ n: number }>`
    with unposted as materialized (
      select distinct a.ad_zone_id as zone_id
        from ad_earnings e join ads a on a.id = e.ad_id
        where e.due_at is not null and e.until < ${day}::timestamptz + interval '1 day'
    ), hours as materialized (
      select d.tableoid as month, d.ctid as place, d.hour, min(d.hour) over same as first, sum(d.n) over same as total, count(*) over same as rows
        from delivery_hourly d
        left join ads a on a.id = d.ad_id
        left join user_settings advertiser on advertiser.user_id = a.user_id
        left join ad_zones z on z.id = d.zone_id
        left join websites w on w.id = z.website_id
        left join user_settings publisher on publisher.user_id = w.user_id
        where ${within(day, 'd.')} and coalesce(d.ad_id, 0) % ${slices}::integer = ${slice}
          and not exists (select from unposted u where u.zone_id = d.zone_id)
        window same as (
          partition by d.ad_id, d.zone_id, d.kind, d.reason, ${dayOf(sql`advertiser.timezone`)}, ${dayOf(sql`publisher.timezone`)})
    ), kept as (
      update delivery_hourly d set n = h.total from hours h
        where d.tableoid = h.month and d.ctid = h.place and ${within(day, 'd.')} and h.hour = h.first and h.rows > 1
    ), gone as (
      delete from delivery_hourly d using hours h
        where d.tableoid = h.month and d.ctid = h.place and ${within(day, 'd.')} and h.hour > h.first
        returning 1
    )
    select count(*)::float8 as n from gone`.execute(tx);
  return rows[0]!.n;
}
