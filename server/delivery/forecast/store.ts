import { sql } from 'kysely';
import type { ViewRange, ZoneDay } from '#domain/delivery/forecast.ts';
import type { MeasuredSums } from '#domain/delivery/forecast-fields.ts';
import { VOTE_KINDS } from '#domain/delivery/votes.ts';
import type { Signal } from '#domain/invalid-traffic/signals.ts';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * The zones' UTC days from `since` to before `until` (a midnight) that have valid decisions or views. Visitors whom a zone
 * excluded are none of its own, so nobody can move its figures by requests of excluded ones. [WARD-30]
 */
export async function findZoneDays(
  tx: Tx,
  zoneIds: readonly number[],
  since: Date,
  until: Date,
): Promise<(ZoneDay & { zoneId: number })[]> {
  const { rows } = await sql<ZoneDay & { zoneId: number }>`
    select zone_id,
        (${until}::timestamptz at time zone 'utc')::date - (hour at time zone 'utc')::date as days_ago,
        coalesce(sum(n) filter (where kind = 'view'), 0)::float8 as views,
        coalesce(sum(n) filter (where kind = 'decision' and ad_id is not null), 0)::float8 as served,
        greatest(0, coalesce(sum(case kind when 'decision' then n else -n end)
          filter (where kind in ('decision', 'excluded') and ad_id is null), 0))::float8 as empty
      from net_hours
      where zone_id = any(${zoneIds}) and hour >= ${since} and hour < ${until}
        and kind in ('view', 'decision', 'excluded')
      group by zone_id, days_ago`.execute(tx);
  return rows;
}

/**
 * The next zones that were not measured on `today`. Deleted ones are among them, because leaving them out would mean reading
 * them in every call.
 */
export async function nextDueZones(tx: Tx, today: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ zoneId: number }>`
    (select zone_id from unmeasured_zones order by zone_id limit ${limit})
    union
    (select zone_id from zone_measurements where measured_on < ${today}::date
      order by measured_on, zone_id limit ${limit})
    limit ${limit}`.execute(tx);
  return rows.map(({ zoneId }) => zoneId);
}

type ReportSums = Omit<MeasuredSums, 'days' | 'viewsPerDay'>;

/**
 * Sums what networks voted in these zones, and the counted views and clicks. Traffic that was withdrawn because it looks alike
 * makes its part of the votes invalid; a few networks cannot make that. What a network had beyond its fair share is no
 * finding about the others, so it is neither valid nor invalid.
 */
export async function sumReports(
  tx: Tx,
  zoneIds: readonly number[],
  since: Date,
  until: Date,
): Promise<(ReportSums & { zoneId: number })[]> {
  const { rows } = await sql<ReportSums & { zoneId: number }>`
    select zone_id, rendered::float8, viewable::float8, views::float8, clicks::float8, judged::float8,
        round(filtered + coalesce((judged - filtered) * alike / nullif(greatest(0, views + clicks) + alike, 0), 0))::float8
          as invalid
      from (
        select zone_id,
            coalesce(sum(n) filter (where kind = 'vote_rendered'), 0) as rendered,
            coalesce(sum(n) filter (where kind = 'vote_viewable'), 0) as viewable,
            coalesce(sum(n) filter (where kind = 'view'), 0) as views,
            coalesce(sum(n) filter (where kind = 'click'), 0) as clicks,
            coalesce(sum(n) filter (where kind = 'vote_judged'), 0) as judged,
            coalesce(sum(n) filter (where kind = 'vote_judged' and not counts), 0) as filtered,
            greatest(0, sum(alike)) as alike
          from (
            select zone_id, kind, counts, n, 0 as alike from judged_hours
              where zone_id = any(${zoneIds}) and hour >= ${since} and hour < ${until}
                and (kind = any(${VOTE_KINDS}) or (kind in ('view', 'click') and counts))
            union all
            select h.zone_id, h.kind, true, 0,
                case when coalesce(made.signals, w.signals) @> any(array[${FAIR_SHARE}]::jsonb[]) then 0 else h.n end
              from withdrawn_hours h
              join withdrawals w on w.id = h.withdrawal_id
              left join withdrawals made on made.id = w.overrules
              where h.zone_id = any(${zoneIds}) and h.hour >= ${since} and h.hour < ${until}) as reported
          group by zone_id) as sums`.execute(tx);
  return rows;
}
/** The signals of a network with more than its fair share, as they stand in a withdrawal. */
const FAIR_SHARE = sql.join(
  (['share', 'clickShare'] satisfies Signal[]).map((signal) => JSON.stringify([{ signal }])),
);

export type Measurement = ReportSums & {
  zoneId: number;
  days: number;
} & ViewRange;

/** Zones that were deleted in the meantime are left out. */
export async function writeMeasurements(tx: Tx, today: string, rows: readonly Measurement[]): Promise<void> {
  await sql`
    insert into zone_measurements as m (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks,
        judged, invalid)
      select t."zoneId", ${today}::date, t.days, t.low, t.likely, t.high, t.rendered, t.viewable, t.views, t.clicks,
          t.judged, t.invalid
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as t("zoneId" integer, days integer, low float8, likely float8, high float8, rendered bigint, viewable bigint,
            views bigint, clicks bigint, judged bigint, invalid bigint)
        join ad_zones z on z.id = t."zoneId"
        order by t."zoneId"
      on conflict (zone_id) do update set
        measured_on = excluded.measured_on, days = excluded.days,
        low = excluded.low, likely = excluded.likely, high = excluded.high,
        rendered = excluded.rendered, viewable = excluded.viewable, views = excluded.views, clicks = excluded.clicks,
        judged = excluded.judged, invalid = excluded.invalid
        where m.measured_on <= excluded.measured_on`.execute(tx);
  await sql`delete from unmeasured_zones where zone_id = any(${rows.map(({ zoneId }) => zoneId)})`.execute(
    tx,
  );
}

/** Whether a run was interrupted before it wrote the market of `today`. */
export async function hasOldMarket(tx: Tx, today: string): Promise<boolean> {
  const { rows } = await sql`
    select from market_measurements where measured_on < ${today}::date limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Computes the views per day and declared visitor for each size and traffic level, from zones that were measured
 * for at least `minDays` days on at least `minWebsites` websites. Each website counts once, so that one with many zones
 * does not decide alone.
 */
export async function writeMarket(
  tx: Tx,
  today: string,
  { minDays, minWebsites }: { minDays: number; minWebsites: number },
): Promise<void> {
  await sql`
    with per_website as (
      select z.width, z.height, w.traffic, ln(exp(avg(ln(m.likely))) / w.monthly_visitors) as ln_ratio
        from zone_measurements m
        join ad_zones z on z.id = m.zone_id
        join websites w on w.id = z.website_id
        join users publisher on publisher.id = w.user_id
        where m.days >= ${minDays} and is_zone_offered(z, w, publisher) and w.monthly_visitors > 0
        group by z.width, z.height, w.id
    )
    insert into market_measurements (width, height, traffic, measured_on, websites, low, likely, high)
      select width, height, traffic, ${today}::date, websites, exp(deciles[1]), exp(deciles[2]), exp(deciles[3])
        from (
          select width, height, traffic, count(*) as websites,
              percentile_cont(array[0.1, 0.5, 0.9]) within group (order by ln_ratio) as deciles
            from per_website
            group by width, height, traffic
        ) as markets
        where websites >= ${minWebsites}
        order by width, height, traffic
      on conflict (width, height, traffic) do update set
        measured_on = excluded.measured_on, websites = excluded.websites,
        low = excluded.low, likely = excluded.likely, high = excluded.high`.execute(tx);
  await sql`delete from market_measurements where measured_on < ${today}::date`.execute(tx);
}

export type FigureRow = {
  zoneId: number;
  websiteId: number;
  isOffered: boolean;
  /** Whether the zone has an active pricing option. */
  hasPrice: boolean;
  monthlyVisitors: number;
  market: ViewRange | null;
} & (Measurement | { days: null });

/** All zones of these websites that are not deleted, with their measurements and those of their market. */
export async function findFigures(tx: Tx, websiteIds: readonly number[]): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select z.id as zone_id, z.website_id, is_zone_offered(z, w, publisher) as is_offered,
        exists (select from ad_zone_products p where p.ad_zone_id = z.id and p.is_active) as has_price,
        w.monthly_visitors,
        case when k.likely is not null then json_build_object('low', k.low, 'likely', k.likely, 'high', k.high) end as market,
        m.days, m.low, m.likely, m.high, m.rendered::float8, m.viewable::float8, m.views::float8, m.clicks::float8,
        m.judged::float8, m.invalid::float8
      from ad_zones z
      join websites w on w.id = z.website_id
      join users publisher on publisher.id = w.user_id
      left join zone_measurements m on m.zone_id = z.id and m.days > 0
      left join market_measurements k on k.width = z.width and k.height = z.height and k.traffic = w.traffic
      where z.website_id = any(${websiteIds}) and z.deleted_at is null
      order by z.id`.execute(tx);
  return rows;
}
