/** Counts events for find-faults.ts. It reads single hours, so its cost does not grow with the history. */
import { type RawBuilder, sql } from 'kysely';
import {
  COMPARED_DAYS,
  FAULT_SHARE,
  MIN_REPORTS,
  MIN_SEEN,
  type ReasonSum,
} from '#domain/delivery/faults.ts';
import type { FaultFacts } from '#domain/delivery/fault-causes.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** `websiteId` null: of the installation. `ofOneSite`: how much of it is of the website that has most. */
export type ScopeSum = ReasonSum & { websiteId: number | null; ofOneSite: number };

const REPORTS = sql`d.kind in ('decision', 'view', 'click')`;

/**
 * The sums of the events since `hour`: those of the installation, and of the websites where so few count that one reason may
 * take all others.
 */
export async function sumsSince(tx: Tx, hour: Date): Promise<ScopeSum[]> {
  const few = (isRequest: RawBuilder<boolean>) => sql`
    coalesce(sum(n) filter (where ${isRequest} and reason = ''), 0) < coalesce(sum(n) filter (where ${isRequest}), 0) * ${1 - FAULT_SHARE}::float8`;
  const total = (isRequest: RawBuilder<boolean>) => sql`coalesce(sum(n) filter (where ${isRequest}), 0)`;
  const requests = sql<boolean>`is_request`;
  const reports = sql<boolean>`not is_request`;
  const { rows } = await sql<ScopeSum>`
    with sums as materialized (
      select z.website_id, d.kind = 'decision' as is_request, d.reason, sum(d.n) as n
        from delivery_hourly d left join ad_zones z on z.id = d.zone_id
        where d.hour >= ${hour} and ${REPORTS}
        group by 1, 2, 3
    ), suspects as (
      select website_id from sums
        where website_id is not null
        group by website_id
        having (${total(reports)} >= ${MIN_REPORTS} and ${few(reports)})
          or (${total(reports)} < ${MIN_REPORTS} and ${total(requests)} >= ${MIN_REPORTS} and ${few(requests)})
    )
    select null::integer as website_id, is_request, reason, sum(n)::float8 as n,
        coalesce(max(n) filter (where website_id is not null), 0)::float8 as of_one_site
      from sums group by is_request, reason
    union all
    select website_id, is_request, reason, n::float8, n::float8 from sums join suspects using (website_id)`.execute(
    tx,
  );
  return rows;
}

/** The events of one scope in `hour` of each of the COMPARED_DAYS before. */
export async function sumsOfDaysBefore(tx: Tx, websiteId: number | null, hour: Date): Promise<ReasonSum[][]> {
  const { rows } = await sql<ReasonSum & { daysBefore: number }>`
    select days.n as days_before, of_day.is_request, of_day.reason, of_day.n
      from generate_series(1, ${COMPARED_DAYS}::integer) as days (n)
      cross join lateral (
        select d.kind = 'decision' as is_request, d.reason, sum(d.n)::float8 as n
          from delivery_hourly d
          where d.hour = ${hour}::timestamptz - days.n * interval '24 hours' and ${REPORTS} and ${within(websiteId)}
          group by 1, 2) as of_day`.execute(tx);
  return [...Map.groupBy(rows, ({ daysBefore }) => daysBefore).values()];
}

/** The events of one scope in full hours after `seenAt`, at most a week. */
export async function sumsAfter(tx: Tx, websiteId: number | null, seenAt: Date): Promise<ReasonSum[]> {
  const { rows } = await sql<ReasonSum>`
    select d.kind = 'decision' as is_request, d.reason, sum(d.n)::float8 as n
      from delivery_hourly d
      where d.hour > ${seenAt} and ${REPORTS} and ${within(websiteId)}
      group by 1, 2`.execute(tx);
  return rows;
}

/** Reads the zones of a website by the index on zone and hour. */
const within = (websiteId: number | null) =>
  websiteId === null
    ? sql`true`
    : sql`d.zone_id = any (array(select id from ad_zones where website_id = ${websiteId}))`;

export type ScopeFacts = FaultFacts & { websiteId: number; reason: Reason };

/** The traits of the refused requests since `hour`, by website. */
export async function factsSince(tx: Tx, hour: Date): Promise<ScopeFacts[]> {
  const { rows } = await sql<ScopeFacts>`
    select z.website_id, f.reason, sum(f.n)::float8 as n, sum(f.private_address)::float8 as private_address,
        sum(f.same_network)::float8 as same_network, sum(f.ima_player)::float8 as ima_player,
        sum(f.stripped_headers)::float8 as stripped_headers
      from refused_facts f join ad_zones z on z.id = f.zone_id
      where f.hour >= ${hour}
      group by 1, 2`.execute(tx);
  return rows;
}

export type SilentSite = {
  websiteId: number;
  /** The ad requests of the same hour of the day and of the week before. */
  dayBefore: number;
  /** Null if there was none in the 24 hours around. */
  weekBefore: number | null;
  tagLoads: number;
};

/**
 * The websites without a valid ad request in `hour` that had at least `min` in the same hour of the day before, and views. Leaves out
 * those that are not offered.
 */
export async function sitesWithoutRequests(tx: Tx, hour: Date, min: number): Promise<SilentSite[]> {
  const of = (zones: RawBuilder<unknown>, from: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`(
    select sum(d.n) from counted_hours d
      where d.zone_id = any (${zones}) and d.hour >= ${from} and d.hour < ${until} and d.kind = 'decision')`;
  const at = sql`${hour}::timestamptz`;
  const zones = sql`usual.zones`;
  const weekAgo = sql`${at} - interval '168 hours'`;
  const { rows } = await sql<SilentSite>`
    with usual as materialized (
      select z.website_id, array_agg(distinct z.id) as zones, sum(d.n) filter (where d.kind = 'decision') as n
        from counted_hours d
        join ad_zones z on z.id = d.zone_id
        join websites w on w.id = z.website_id
        join users u on u.id = w.user_id
        where d.hour = ${at} - interval '24 hours' and d.kind in ('decision', 'view')
          and is_zone_offered(z, w, u)
        group by z.website_id
        having sum(d.n) filter (where d.kind = 'decision') >= ${min}
          and sum(d.n) filter (where d.kind = 'view') >= ${MIN_SEEN}
    )
    select usual.website_id, usual.n::float8 as day_before,
        case when ${of(zones, sql`${weekAgo} - interval '12 hours'`, sql`${weekAgo} + interval '12 hours'`)} is not null
          then coalesce(${of(zones, weekAgo, sql`${weekAgo} + interval '1 hour'`)}, 0)::float8 end as week_before,
        coalesce((select sum(t.n) from tag_loads t where t.zone_id = any (${zones}) and t.hour = ${at}), 0)::float8
          as tag_loads
      from usual
      where ${of(zones, at, sql`${at} + interval '1 hour'`)} is null
      order by usual.website_id`.execute(tx);
  return rows;
}

/** Whether a website has had a valid ad request in the hours since `hour`. */
export async function hasRequestsSince(tx: Tx, websiteId: number | null, hour: Date): Promise<boolean> {
  const { rows } = await sql`
    select from counted_hours d
      where d.hour >= ${hour} and d.kind = 'decision' and ${within(websiteId)}
      limit 1`.execute(tx);
  return rows.length > 0;
}
