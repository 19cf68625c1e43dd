import { sql } from 'kysely';
import { COMPARED_DAYS } from '#domain/analytics/click-rate.ts';
import { PASSING_REASONS } from '#domain/delivery/reasons.ts';
import { MAX_ID } from '#domain/fields.ts';
import {
  type Alike,
  CLEARED_DAYS,
  COMPARED_HOURS,
  type Exceeded,
  type FairShare,
  MAX_SILENT_HOURS,
  MIN_USUAL_LANDINGS,
  NETWORK_KEY_MS,
  type Networks,
  type ZoneTraffic,
} from '#domain/invalid-traffic/signals.ts';
import type { Tx } from '../db/database.ts';

/** The next zones after `after`, in order, that had visitors in the compared hours. Reads one index entry for each zone. */
export async function visitedZones(tx: Tx, until: Date, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select z.id from ad_zones z
      where z.id > ${after} and exists (
        select from traffic_clusters t
          where t.zone_id = z.id and t.hour < ${until}
            and t.hour >= ${until}::timestamptz - ${COMPARED_HOURS} * interval '1 hour'
          offset 0)
      order by z.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Those of the zones with at least so many reported views in the compared hours. */
export async function zonesWithViews(
  tx: Tx,
  zoneIds: readonly number[],
  until: Date,
  min: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.zone_id as id from judged_hours d
      where d.zone_id = any (${zoneIds}) and d.hour < ${until}
        and d.hour >= ${until}::timestamptz - ${COMPARED_HOURS} * interval '1 hour'
        and d.kind = 'view' and (${PASSED} or d.reason = 'withdrawn')
      group by d.zone_id having sum(d.n) >= ${min}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The traffic of one zone, or of several zones of a website together. */
export type Facts = ZoneTraffic & { zoneIds: number[]; websiteId: number; publisherId: number };

/**
 * Reads the facts that the comparison needs about these zones, each zone alone or the zones of each website together, for
 * these hours before `until`.
 */
export async function factsOf(
  tx: Tx,
  by: 'zone' | 'website',
  zoneIds: readonly number[],
  until: Date,
  hours = COMPARED_HOURS,
): Promise<Facts[]> {
  const key = by === 'zone' ? sql`z.id` : sql`z.website_id`;
  const from = sql`(${until}::timestamptz - ${hours} * interval '1 hour')`;
  const dayBefore = sql`(${until}::timestamptz - ${hours + COMPARED_HOURS} * interval '1 hour')`;
  const past = sql`(${until}::timestamptz - ${COMPARED_DAYS} * interval '1 day')`;
  // Every lateral reads the rows of its zones through an index. 'offset 0' keeps the planner from reordering them.
  const { rows } = await sql<Facts>`
    with compared as (
      select array_agg(z.id) as zones, z.website_id, w.user_id
        from unnest(${zoneIds}::integer[]) as given (id)
        join ad_zones z on z.id = given.id
        join websites w on w.id = z.website_id
        group by ${key}, z.website_id, w.user_id
    )
    select c.zones as zone_ids, c.website_id, c.user_id as publisher_id,
        json_build_object('views', coalesce(now.views, 0), 'clicks', coalesce(now.clicks, 0)) as counted,
        -- The events beyond the fair share include those beyond the ceiling, which are withdrawn from no counter.
        json_build_object('views', greatest(0, coalesce(now.passed_views, 0) - beyond.views),
          'clicks', greatest(0, coalesce(now.passed_clicks, 0) - beyond.clicks)) as passed,
        greatest(0, coalesce(now.served, 0) - coalesce(now.filtered, 0) - beyond.views)::float8 as served,
        greatest(0, coalesce(now.seen, 0) - beyond.views)::float8 as seen,
        coalesce(hours.views, '[]'::json) as hourly,
        json_build_object('n', traits.networks, 'pairs', traits.network_pairs) as networks,
        json_build_object('n', traits.browsers, 'pairs', traits.browser_pairs) as browsers,
        json_build_object('n', traits.delays, 'pairs', traits.delay_pairs) as delays,
        case when before.buckets > 0 and before.buckets < ${MAX_KNOWN_BUCKETS}
          then json_build_object('n', traits.networks, 'known', traits.known) end as returning,
        json_build_object('clicks', landed.clicks, 'landed', landed.landings, 'expected', landed.expected) as landings,
        coalesce(tag.loads, 0)::float8 as tag_loads,
        json_build_object('views', coalesce(past.views, 0), 'clicks', coalesce(past.clicks, 0)) as past,
        cleared.signals as cleared, traits.usual_browsers, traits.usual_delays
      from compared c
      cross join lateral (
        select sum(d.n) filter (where d.kind = 'view' and d.counts) as views,
            sum(d.n) filter (where d.kind = 'click' and d.counts) as clicks,
            sum(d.n) filter (where d.kind = 'view' and (d.counts or d.reason = 'ceiling')) as passed_views,
            sum(d.n) filter (where d.kind = 'click' and (d.counts or d.reason = 'ceiling')) as passed_clicks,
            sum(d.n) filter (where d.kind = 'decision' and d.ad_id is not null) as served,
            sum(d.n) filter (where d.kind = 'view' and ${PASSED}) as seen,
            sum(d.n) filter (where d.kind = 'view' and not ${PASSED} and d.reason <> 'duplicate') as filtered,
            coalesce(sum(d.n) filter (where d.kind = 'view' and d.reason = 'withdrawn'), 0) as withdrawn_views,
            coalesce(sum(d.n) filter (where d.kind = 'click' and d.reason = 'withdrawn'), 0) as withdrawn_clicks
          from judged_hours d
          where d.zone_id = any (c.zones) and d.hour >= ${from} and d.hour < ${until}
          offset 0) as now
      cross join lateral (
        -- A cluster also holds events that no counter has, so more of it may be taken than was withdrawn.
        select greatest(0, coalesce(sum(t.withdrawn) filter (where t.kind = 'view'), 0) - now.withdrawn_views) as views,
            greatest(0, coalesce(sum(t.withdrawn) filter (where t.kind = 'click'), 0) - now.withdrawn_clicks) as clicks
          from traffic_clusters t
          where t.zone_id = any (c.zones) and t.hour >= ${from} and t.hour < ${until}
          offset 0) as beyond
      cross join lateral (
        select json_agg(coalesce(of_hour.views, 0) order by at) as views
          from generate_series(${from}, ${until}::timestamptz - interval '1 hour', interval '1 hour') as at
          left join (
            select d.hour, sum(d.n) as views from net_hours d
              where d.zone_id = any (c.zones) and d.hour >= ${from} and d.hour < ${until} and d.kind = 'view'
              group by d.hour) as of_hour on of_hour.hour = at
          offset 0) as hours
      cross join lateral (
        select coalesce(sum(b.n) filter (where b.trait = 'network'), 0) as networks,
            coalesce(sum(b.n * (b.n - 1)) filter (where b.trait = 'network'), 0) as network_pairs,
            coalesce(sum(b.n) filter (where b.trait = 'browser'), 0) as browsers,
            coalesce(sum(b.n * (b.n - 1)) filter (where b.trait = 'browser'), 0) as browser_pairs,
            coalesce(sum(b.n) filter (where b.trait = 'delay'), 0) as delays,
            coalesce(sum(b.n * (b.n - 1)) filter (where b.trait = 'delay'), 0) as delay_pairs,
            coalesce(sum(b.n) filter (where b.trait = 'network' and exists (
              select from traffic_clusters y
                where y.zone_id = any (c.zones) and y.network = b.bucket
                  and y.hour >= ${dayBefore} and y.hour < ${from})), 0) as known,
            coalesce(json_agg(b.bucket) filter (where b.trait = 'browser' and b.n >= b.of_trait / 4), '[]') as usual_browsers,
            coalesce(json_agg(b.bucket) filter (where b.trait = 'delay' and b.n >= b.of_trait / 4), '[]') as usual_delays
          from (
            select e.trait, e.bucket, sum(e.n) as n, sum(sum(e.n)) over (partition by e.trait) as of_trait
              from traffic_clusters t
              cross join lateral (
                values ('network', t.network, t.n - t.withdrawn), ('browser', t.browser, t.n - t.withdrawn),
                  ('delay', t.delay, case t.kind when 'view' then t.n - t.withdrawn else 0 end)) as e (trait, bucket, n)
              where t.zone_id = any (c.zones) and t.hour >= ${from} and t.hour < ${until} and e.n > 0
              group by e.trait, e.bucket) as b
          offset 0) as traits
      cross join lateral (
        select count(distinct y.network) as buckets from traffic_clusters y
          where y.zone_id = any (c.zones) and y.hour >= ${dayBefore} and y.hour < ${from}
          offset 0) as before
      cross join lateral (
        select coalesce(json_agg(distinct signal), '[]') as signals
          from ad_zones of_site
          join withdrawals w on w.zone_id = of_site.id
          join withdrawals o on o.overrules = w.id and o.made_at > ${until}::timestamptz - ${CLEARED_DAYS} * interval '1 day'
          cross join lateral (select e ->> 'signal' as signal from jsonb_array_elements(w.signals) as e) as named
          where of_site.website_id = c.website_id
          offset 0) as cleared
      cross join lateral (
        select coalesce(sum(own.clicks), 0) as clicks, coalesce(sum(own.landings), 0) as landings,
            coalesce(sum(own.clicks * usual.landings / usual.clicks), 0) as expected
          from (
            select distinct l.ad_id from landing_hours l
              where l.zone_id = any (c.zones) and l.hour >= ${from} and l.hour < ${until}) as of_zones
          cross join lateral (select * from ads where id = of_zones.ad_id offset 0) as a
          -- The advertiser's ads that lead to the same host share a script.
          cross join lateral (
            select array_agg(s.id) as ads from ads s
              where s.user_id = a.user_id and ${hostOf('s')} = ${hostOf('a')}
              offset 0) as page
          -- A page whose script is missing reports nothing, so a click is compared only between two landings of its page.
          cross join lateral (
            -- The clicks that the fair share took are taken for those that did not land.
            select sum(greatest(l.landings, l.clicks - coalesce((
                select sum(t.withdrawn) from traffic_clusters t
                  where t.zone_id = l.zone_id and t.hour = l.hour and t.ad_id = l.ad_id and t.kind = 'click'), 0))) as clicks,
                sum(l.landings) as landings
              from landing_hours l
              where l.ad_id = a.id and l.zone_id = any (c.zones) and l.hour >= ${from} and l.hour < ${until}
                and (
                  select min(o.hour) filter (where o.hour > l.hour) - max(o.hour) filter (where o.hour <= l.hour)
                    from landing_hours o
                    where o.ad_id = any (page.ads) and o.landings > 0
                      and o.hour between l.hour - ${silence} and l.hour + ${silence}) <= ${silence}
              offset 0) as own
          -- The landing rate of the page: on other publishers' websites, and before, on this publisher's.
          cross join lateral (
            select sum(l.clicks)::float8 as clicks, sum(l.landings)::float8 as landings
              from landing_hours l
              where l.ad_id = any (page.ads) and l.hour >= ${past} and l.hour < ${until}
                and (l.hour < ${from} or c.user_id <> (
                  select w.user_id from ad_zones z join websites w on w.id = z.website_id where z.id = l.zone_id))
                -- Unlike 'not exists', a count is not planned as a join, so that the rows are read by index.
                and (
                  select count(*) from withdrawn_hours h where h.zone_id = l.zone_id and h.hour = l.hour and h.n > 0) = 0
              offset 0) as usual
          where usual.landings >= ${MIN_USUAL_LANDINGS}
          offset 0) as landed
      cross join lateral (
        select sum(t.n) as loads from ad_zones of_site
          join tag_loads t on t.zone_id = of_site.id
          where of_site.website_id = c.website_id and t.hour >= ${from} and t.hour < ${until}
          offset 0) as tag
      cross join lateral (
        select sum(d.n) filter (where d.kind = 'view') as views, sum(d.n) filter (where d.kind = 'click') as clicks
          from judged_hours d
          where d.zone_id = any (c.zones) and d.kind in ('view', 'click') and (d.counts or d.reason = 'ceiling')
            and d.hour >= ${past} and d.hour < ${from}
          offset 0) as past
      order by c.zones`.execute(tx);
  return rows;
}

/** Whether the events \`d\` passed every rule about the visitor. */
const PASSED = sql`(d.counts or d.reason = any(${PASSING_REASONS}))`;

const silence = sql`(${MAX_SILENT_HOURS} * interval '1 hour')`;

/** The host of an ad's target address, as the advertiser wrote it. */
const hostOf = (ad: 'a' | 's') =>
  sql`lower(substring(${sql.ref(`${ad}.target_url`)} from '^https?://([^/?#]+)'))`;

/**
 * With more networks on the day before, a tenth of all buckets is taken, and many new networks look like returning
 * ones.
 */
const MAX_KNOWN_BUCKETS = 6553;

/** How the events of a zone spread over networks, and the most that a network has. */
type Crowd = Networks & { zoneId: number; mostViews: number; mostClicks: number };

/** How the events of each of these zones spread over networks. `fair` is fairViewsWithin of these hours. */
export async function crowdsOf(
  tx: Tx,
  zoneIds: readonly number[],
  { until, hours, fair }: { until: Date; hours: number; fair: number },
): Promise<Crowd[]> {
  const { rows } = await sql<Crowd>`
    select k.zone_id, max(k.networks)::float8 as networks, sum(k.views)::float8 as views, max(k.spread)::float8 as spread,
        max(k.most_views)::float8 as most_views, max(k.most_clicks)::float8 as most_clicks
      from (
        select b.zone_id, count(*) as networks, sum(b.views) as views, sum(least(b.views, ${fair})) as spread,
            max(b.views) as most_views, max(b.clicks) as most_clicks
          from (
            select t.zone_id, t.network, floor(extract(epoch from t.hour) * 1000 / ${NETWORK_KEY_MS}) as period,
                coalesce(sum(t.n) filter (where t.kind = 'view'), 0) as views,
                coalesce(sum(t.n) filter (where t.kind = 'click'), 0) as clicks
              from traffic_clusters t
              where t.zone_id = any (${zoneIds}) and t.hour < ${until}
                and t.hour >= ${until}::timestamptz - ${hours} * interval '1 hour'
              group by t.zone_id, t.network, period) as b
          group by b.zone_id, b.period) as k
      group by k.zone_id
      order by k.zone_id`.execute(tx);
  return rows;
}

/** The events to withdraw of a zone's hours: those of a network beyond its fair share, or those that look alike. */
export type Taken = {
  zoneId: number;
  from: Date;
  until: Date;
  signals: readonly Exceeded[];
  fair?: FairShare;
  alike?: Alike;
};

/** Withdraws the events of a cluster that still count. Returns null if there are none. */
export async function withdraw(tx: Tx, at: Date, taken: Taken): Promise<number | null> {
  const { zoneId, from, until, signals, fair, alike } = taken;
  const { rows } = await sql<{ id: number | null }>`
    select withdraw_traffic(${at}, ${zoneId}, ${from}, ${until}, ${JSON.stringify(signals)}::jsonb,
      ${fair?.views ?? null}, ${fair?.clicks ?? null}, ${alike?.browsers ?? null}::integer[], ${alike?.delays ?? null}::integer[]) as id`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

export type WithdrawalRow = {
  id: number;
  zoneId: number;
  zoneName: string;
  websiteId: number;
  websiteName: string;
  publisherId: number;
  fromHour: Date;
  untilHour: Date;
  madeAt: Date;
  signals: Exceeded[];
  views: number;
  clicks: number;
  overruledAt: Date | null;
  overruledBy: string | null;
  overruledReason: string | null;
};

/** Unlike `not exists`, a count is not planned as a join, so that a page is read by index. */
const isOpen = (from: Date) =>
  sql`(c.from_hour >= ${from} and (select count(*) from withdrawals o where o.overrules = c.id) = 0)`;

export async function countOpen(tx: Tx, from: Date): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from withdrawals c where c.overrules is null and ${isOpen(from)}`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

/**
 * Withdrawals of all zones, newest first, with ids below `before`. With `openFrom`, only those of hours from then on that
 * were not overruled.
 */
export async function listRows(
  tx: Tx,
  page: { openFrom: Date | null; before: number | null; limit: number; id?: number },
): Promise<WithdrawalRow[]> {
  const { rows } = await sql<WithdrawalRow>`
    select c.id, c.zone_id, z.name as zone_name, w.id as website_id, w.name as website_name, w.user_id as publisher_id,
        c.from_hour, c.until_hour, c.made_at, c.signals,
        coalesce(sum(h.n) filter (where h.kind = 'view'), 0)::float8 as views,
        coalesce(sum(h.n) filter (where h.kind = 'click'), 0)::float8 as clicks,
        o.made_at as overruled_at, o.made_by as overruled_by, o.reason as overruled_reason
      from (
        select * from withdrawals c
          where c.overrules is null and c.id < ${page.before ?? MAX_ID} and c.id >= ${page.id ?? 0}
            and c.id <= ${page.id ?? MAX_ID}
            and ${page.openFrom === null ? sql`true` : isOpen(page.openFrom)}
          order by c.id desc limit ${page.limit}) as c
      join ad_zones z on z.id = c.zone_id
      join websites w on w.id = z.website_id
      left join withdrawals o on o.overrules = c.id
      left join withdrawn_hours h on h.withdrawal_id = c.id
      group by c.id, c.zone_id, z.name, w.id, w.name, w.user_id, c.from_hour, c.until_hour, c.made_at, c.signals,
        o.made_at, o.made_by, o.reason
      order by c.id desc`.execute(tx);
  return rows;
}

/** Restores the events of these withdrawals. The caller has checked that this is allowed. */
export async function overrule(
  tx: Tx,
  at: Date,
  { ids, by, reason }: { ids: readonly number[]; by: string; reason: string },
): Promise<void> {
  // All ads before the first withdrawal, in the order of docs/decisions/049-lock-order.md.
  await sql`
    select from ads where id in (select ad_id from withdrawn_hours where withdrawal_id = any (${ids}))
      order by id for no key update`.execute(tx);
  for (const id of ids) await sql`select overrule_withdrawal(${at}, ${id}, ${by}, ${reason})`.execute(tx);
}

type LockedWithdrawal = {
  websiteId: number;
  zoneId: number;
  fromHour: Date;
  signals: Exceeded[];
  overruled: boolean;
};

/** Reads a withdrawal and locks those of its website, so that only one of two operators overrules it. */
export async function lockWithdrawal(tx: Tx, id: number): Promise<LockedWithdrawal | undefined> {
  await sql`
    select pg_advisory_xact_lock(hashtext('withdrawals'), z.website_id)
      from withdrawals c join ad_zones z on z.id = c.zone_id where c.id = ${id}`.execute(tx);
  const { rows } = await sql<LockedWithdrawal>`
    select z.website_id, c.zone_id, c.from_hour, c.signals,
        exists (select from withdrawals o where o.overrules = c.id) as overruled
      from withdrawals c join ad_zones z on z.id = c.zone_id
      where c.id = ${id} and c.overrules is null`.execute(tx);
  return rows[0];
}

/** The withdrawals of a website, of hours from `from` on, that were not overruled, in order. */
export async function openOfWebsite(
  tx: Tx,
  websiteId: number,
  from: Date,
): Promise<{ id: number; signals: Exceeded[] }[]> {
  const { rows } = await sql<{ id: number; signals: Exceeded[] }>`
    select c.id, c.signals
      from ad_zones z join withdrawals c on c.zone_id = z.id
      where z.website_id = ${websiteId} and c.overrules is null and ${isOpen(from)}
      order by c.id`.execute(tx);
  return rows;
}

/** Deletes the counts from before `before`, but those of zones with few visitors only from before `ofFewBefore`. */
export async function deleteTraits(
  tx: Tx,
  { before, ofFewBefore, few }: { before: Date; ofFewBefore: Date; few: number },
): Promise<void> {
  await sql`delete from tag_loads where hour < ${ofFewBefore}`.execute(tx);
  await sql`delete from traffic_clusters where hour < ${ofFewBefore}`.execute(tx);
  await sql`
    delete from traffic_clusters c
      using (
        select zone_id from traffic_clusters where hour < ${before} group by zone_id having sum(n) >= ${few}) as busy
      where c.zone_id = busy.zone_id and c.hour < ${before}`.execute(tx);
}
