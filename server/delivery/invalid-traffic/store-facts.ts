import { type RawBuilder, sql } from 'kysely';
import { COMPARED_DAYS } from '#domain/analytics/click-rate.ts';
import {
  CLEARED_DAYS,
  COMPARED_HOURS,
  MAX_SILENT_HOURS,
  MIN_USUAL_LANDINGS,
  type ZoneTraffic,
} from '#domain/invalid-traffic/signals.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { PASSED } from './store.ts';

/** The traffic of one zone, or of several zones of a website together. */
export type Facts = ZoneTraffic & { zoneIds: number[]; websiteId: number; publisherId: number };

/** The compared hours are those from `from` on, before `until`. */
type Span = {
  until: Date;
  from: RawBuilder<unknown>;
  /** The start of the day before these hours. */
  dayBefore: RawBuilder<unknown>;
  /** The start of the weeks before. */
  past: RawBuilder<unknown>;
};

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
  const span: Span = {
    until,
    from: sql`(${until}::timestamptz - ${hours} * interval '1 hour')`,
    dayBefore: sql`(${until}::timestamptz - ${hours + COMPARED_HOURS} * interval '1 hour')`,
    past: sql`(${until}::timestamptz - ${COMPARED_DAYS} * interval '1 day')`,
  };
  // Every lateral reads the rows of `c`, its zones, through an index. 'offset 0' keeps the planner from reordering them.
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
      cross join lateral (${eventsOf(span)}) as now
      cross join lateral (${beyondFairShare(span)}) as beyond
      cross join lateral (${viewsPerHour(span)}) as hours
      cross join lateral (${traitsOf(span)}) as traits
      cross join lateral (${networksBefore(span)}) as before
      cross join lateral (${clearedSignals(span)}) as cleared
      cross join lateral (${landingsOf(span)}) as landed
      cross join lateral (${tagLoadsOf(span)}) as tag
      cross join lateral (${eventsBefore(span)}) as past
      order by c.zones`.execute(tx);
  return rows;
}

/** The events of these hours, by what became of them. */
const eventsOf = ({ until, from }: Span) => sql`
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
    offset 0`;

/** The events that the fair share of a network has taken, without those that `now` has as withdrawn. */
const beyondFairShare = ({ until, from }: Span) => sql`
  -- A cluster also holds events that no counter has, so more of it may be taken than was withdrawn.
  select greatest(0, coalesce(sum(t.withdrawn) filter (where t.kind = 'view'), 0) - now.withdrawn_views) as views,
      greatest(0, coalesce(sum(t.withdrawn) filter (where t.kind = 'click'), 0) - now.withdrawn_clicks) as clicks
    from traffic_clusters t
    where t.zone_id = any (c.zones) and t.hour >= ${from} and t.hour < ${until}
    offset 0`;

/** The counted views of each of these hours, in order. */
const viewsPerHour = ({ until, from }: Span) => sql`
  select json_agg(coalesce(of_hour.views, 0) order by at) as views
    from generate_series(${from}, ${until}::timestamptz - interval '1 hour', interval '1 hour') as at
    left join (
      select d.hour, sum(d.n) as views from net_hours d
        where d.zone_id = any (c.zones) and d.hour >= ${from} and d.hour < ${until} and d.kind = 'view'
        group by d.hour) as of_hour on of_hour.hour = at
    offset 0`;

/** How the events spread over networks, browsers and delays, and which of the networks came on the day before. */
const traitsOf = ({ until, from, dayBefore }: Span) => sql`
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
    offset 0`;

/** How many networks came on the day before. */
const networksBefore = ({ from, dayBefore }: Span) => sql`
  select count(distinct y.network) as buckets from traffic_clusters y
    where y.zone_id = any (c.zones) and y.hour >= ${dayBefore} and y.hour < ${from}
    offset 0`;

/** The signals by which an operator has lately overruled a withdrawal of the website. */
const clearedSignals = ({ until }: Span) => sql`
  select coalesce(json_agg(distinct signal), '[]') as signals
    from ad_zones of_site
    join withdrawals w on w.zone_id = of_site.id
    join withdrawals o on o.overrules = w.id and o.made_at > ${until}::timestamptz - ${CLEARED_DAYS} * interval '1 day'
    cross join lateral (select e ->> 'signal' as signal from jsonb_array_elements(w.signals) as e) as named
    where of_site.website_id = c.website_id
    offset 0`;

/** The clicks that reported a landing, and how many were to be expected by the landing rates of their pages. */
const landingsOf = ({ until, from, past }: Span) => sql`
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
    offset 0`;

/** How often pages of the website have loaded the tag. */
const tagLoadsOf = ({ until, from }: Span) => sql`
  select sum(t.n) as loads from ad_zones of_site
    join tag_loads t on t.zone_id = of_site.id
    where of_site.website_id = c.website_id and t.hour >= ${from} and t.hour < ${until}
    offset 0`;

/** The events of the weeks before these hours. */
const eventsBefore = ({ from, past }: Span) => sql`
  select sum(d.n) filter (where d.kind = 'view') as views, sum(d.n) filter (where d.kind = 'click') as clicks
    from judged_hours d
    where d.zone_id = any (c.zones) and d.kind in ('view', 'click') and (d.counts or d.reason = 'ceiling')
      and d.hour >= ${past} and d.hour < ${from}
    offset 0`;

const silence = sql`(${MAX_SILENT_HOURS} * interval '1 hour')`;

/** The host of an ad's target address, as the advertiser wrote it. */
const hostOf = (ad: 'a' | 's') =>
  sql`lower(substring(${sql.ref(`${ad}.target_url`)} from '^https?://([^/?#]+)'))`;

/**
 * With more networks on the day before, a tenth of all buckets is taken, and many new networks look like returning
 * ones.
 */
const MAX_KNOWN_BUCKETS = 6553;
