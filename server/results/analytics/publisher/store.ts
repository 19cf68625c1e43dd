/** The SQL of a publisher's results. Amounts are the publisher's part. */
import { sql } from 'kysely';
import { COMPARED_WEEKS, type EmptyHour, MIN_REQUESTS, MIN_WEEKS } from '#domain/analytics/tag-silence.ts';
import type { BoughtAd } from '#domain/analytics/price-trials.ts';
import type { Requested } from '#domain/analytics/yields.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { PAID, sales } from '../store.ts';
import { type Range, since, until } from '../store-range.ts';

/** The user's own zones `z` of websites `w` that pass the filters of the range. */
export const ownZones = ({ userId, zone, website }: Range) => sql`
  w.user_id = ${userId}
    and (${zone ?? null}::uuid is null or z.public_id = ${zone ?? null}::uuid)
    and (${website ?? null}::uuid is null or w.public_id = ${website ?? null}::uuid)`;

export type ZonePosition = { websiteId: number; id: number };
/** A part of the range, from 0. */
export type CoursePoint = { part: number; requests: number; filled: number; views: number };
export type YieldRow = ZonePosition &
  Requested & {
    publicId: string;
    name: string;
    websitePublicId: string;
    websiteName: string;
    before: { requests: number; filled: number };
    course: CoursePoint[];
  };

/** Own zones by website, after `after`. A deleted one is among them if its id is in `earning`. */
export async function selectYields(
  tx: Tx,
  range: Range,
  {
    earning,
    after,
    limit,
    parts,
  }: { earning: readonly number[]; after: ZonePosition | null; limit: number; parts: number },
): Promise<YieldRow[]> {
  const length = sql`(${until(range)} - ${since(range)})`;
  const beyond = after ? sql`and (w.id, z.id) > (${after.websiteId}, ${after.id})` : sql``;
  const { rows } = await sql<YieldRow>`
    select page.*, d.*
      from (
        select z.id, z.public_id as "publicId", z.name, w.id as "websiteId", w.public_id as "websitePublicId",
            w.shown_name as "websiteName"
          from websites w join ad_zones z on z.website_id = w.id
          where ${ownZones(range)} ${beyond}
            and (z.deleted_at is null and w.archived_at is null or z.id = any(${earning}))
          order by w.id, z.id
          limit ${limit}) as page
      cross join lateral (
        select coalesce(sum(requests) filter (where part >= 0), 0)::float8 as requests,
            coalesce(sum(filled) filter (where part >= 0), 0)::float8 as filled,
            greatest(0, coalesce(sum(rendered) filter (where part >= 0), 0))::float8 as rendered,
            coalesce(sum(viewable) filter (where part >= 0), 0)::float8 as viewable,
            json_build_object('requests', coalesce(sum(requests) filter (where part < 0), 0),
              'filled', coalesce(sum(filled) filter (where part < 0), 0)) as before,
            coalesce(json_agg(json_build_object('part', part, 'requests', requests, 'filled', filled, 'views', views))
              filter (where part >= 0), '[]') as course
          from (
            select floor(extract(epoch from hour - ${since(range)}) * ${parts} / extract(epoch from ${length}))::integer
                as part,
              coalesce(sum(n) filter (where kind = 'decision' and counts), 0) as requests,
              coalesce(sum(n) filter (where kind = 'decision' and counts and ad_id is not null), 0) as filled,
              -- The same rules as in sumReports (server/delivery/forecast/store.ts).
              sum(case when reason <> 'duplicate' then n when kind = 'rendered' then -n end)
                filter (where kind in ('view', 'rendered')) as rendered,
              coalesce(sum(n) filter (where kind = 'view' and reason <> 'duplicate'), 0) as viewable,
              coalesce(sum(n) filter (where kind = 'view' and counts), 0) as views
            from judged_hours
            where zone_id = page.id and hour >= ${since(range)} - ${length} and hour < ${until(range)}
              and kind in ('decision', 'view', 'rendered')
            group by 1) as by_part
          offset 0) as d
      order by page."websiteId", page.id`.execute(tx);
  return rows;
}

export type EmptyHourRow = EmptyHour & {
  zoneId: number;
  zone: string;
  zoneName: string;
  websiteName: string;
};

/**
 * The hours of the range before `end` in which an own zone had no valid request although it usually has some, by zone and
 * hour. Hours in which the zone was not offered are left out. Those before `kept` are not compared, because several hours may
 * be in one row.
 */
export async function selectEmptyHours(tx: Tx, range: Range, end: Date, kept: Date): Promise<EmptyHourRow[]> {
  const weeks = sql.lit(`${COMPARED_WEEKS * 7 * 24} hours`);
  const { rows } = await sql<EmptyHourRow>`
    with own as (
      select z.id, z.public_id, z.name, w.id as website_id, w.user_id, w.shown_name,
          coalesce(least(z.paused_at, w.paused_at, z.deleted_at, w.archived_at, zone_suspended_since(z.id)), 'infinity')
            as offered_until
        from websites w join ad_zones z on z.website_id = w.id
        where ${ownZones(range)}
    ), asked as (
      select own.id, d.hour, d.requests
        from own cross join lateral (
          select hour, sum(n) as requests
            from counted_hours
            where zone_id = own.id and kind = 'decision'
              and hour >= greatest(${since(range)} - interval ${weeks}, ${kept}::timestamptz) and hour < ${until(range)}
            group by hour
            offset 0) as d
    ), usual as (
      select id, hour + week * interval '168 hours' as hour, count(*) as weeks, sum(requests) as requests,
          array_agg(hour) as before
        from asked, generate_series(1, ${sql.lit(COMPARED_WEEKS)}) as week
        group by 1, 2
        having count(*) >= ${MIN_WEEKS} and sum(requests) >= count(*) * ${MIN_REQUESTS}
    )
    select own.id as "zoneId", own.public_id as zone, own.name as "zoneName", own.shown_name as "websiteName",
        extract(epoch from u.hour)::float8 * 1000 as hour, u.weeks::integer, u.requests::float8,
        earned.cents as "earnedCents", earned.is_sold as "isSold"
      from usual u
      join own on own.id = u.id
      cross join lateral (
        select coalesce(sum(e.publisher_cents), 0)::float8 as cents,
            coalesce(bool_or(a.end_date is null or a.end_date > u.hour), false) as is_sold
          from ads a
          join payments p on p.ad_id = a.id and p.status = 'succeeded' and p.book = ${range.book}
          left join earned_hours e on e.ad_id = a.id and e.hour = any(u.before)
          where a.ad_zone_id = u.id and a.pricing_model <> 'per_day' and a.start_date < u.hour + interval '1 hour'
            and (a.end_date is null or a.end_date > u.hour - interval ${weeks})
          offset 0) as earned
      where u.hour >= ${since(range)} and u.hour < least(${until(range)}, ${end}::timestamptz)
        and u.hour + interval '1 hour' <= own.offered_until
        and not exists (select from asked a where a.id = u.id and a.hour = u.hour)
        and not exists (
          select from offer_pauses p
            where (p.subject, p.subject_id) in (('zone', own.id), ('website', own.website_id), ('person', own.user_id))
              and p.ended_at > u.hour and p.began_at < u.hour + interval '1 hour')
      order by own.id, u.hour`.execute(tx);
  return rows;
}

export type ReturnedRow = {
  advertisers: number;
  returned: number;
  list: { name: string; campaigns: number; first: string; last: string; cents: number }[];
};

/**
 * The advertisers of all sales, and at most `limit` of those who bought again a day later or more, the newest purchase first.
 * Several ads of one day are often one campaign.
 */
export async function selectReturned(
  tx: Tx,
  of: { userId: number; book: PaymentBook },
  limit: number,
): Promise<ReturnedRow> {
  const sold = sales(tx, { ...of, side: 'seller' }).select([
    'ads.userId',
    'ads.id as adId',
    'ads.planId',
    'payments.paidAt',
    sql`${PAID.seller}`.as('cents'),
  ]);
  const { rows } = await sql<ReturnedRow>`
    with sold as (${sold}), purchases as (
      -- The ads of a plan may be paid on the days of their approvals, and are one purchase all the same.
      select *, min(paid_at) over (partition by user_id, coalesce('plan ' || plan_id, 'ad ' || ad_id)) as first_paid_at
        from sold
    ), buyers as (
      select user_id, count(*)::integer as campaigns, min(paid_at) as first, max(paid_at) as last,
          sum(cents)::float8 as cents,
          max(first_paid_at) >= min(first_paid_at) + interval '24 hours' as has_returned
        from purchases
        group by user_id
    ), listed as (
      select * from buyers where has_returned order by last desc, user_id desc limit ${limit}
    )
    select (select count(*)::integer from buyers) as advertisers,
        (select count(*)::integer from buyers where has_returned) as returned,
        (select coalesce(json_agg(json_build_object('name', advertiser_name(user_id), 'campaigns', campaigns,
            'first', first, 'last', last, 'cents', cents) order by last desc, user_id desc), '[]')
          from listed) as list`.execute(tx);
  return rows[0] as ReturnedRow;
}

export type BoughtRow = {
  zone: string;
  zoneName: string;
  websiteName: string;
  pricingModel: PricingModel;
  bought: BoughtAd[];
};

/**
 * The ads that were bought in own zones since `bought`, by zone and pricing model, most ads first, with the most that each
 * advertiser paid per unit since `compared`, in all zones of this size, for an ad of the same type and model.
 */
export async function selectBought(
  tx: Tx,
  { userId, book, zone }: { userId: number; book: PaymentBook; zone: string | undefined },
  { bought, compared, limit }: { bought: Date; compared: Date; limit: number },
): Promise<BoughtRow[]> {
  const unit = (of: string) =>
    sql.raw(`${of}.total_amount / coalesce(${of}.duration, ${of}.impressions, ${of}.clicks)`);
  const { rows } = await sql<BoughtRow>`
    with bought as (
      select z.id as zone_id, z.width, z.height, a.user_id, a.pricing_model, a.ad_type, ${unit('a')} as unit,
          p.amount_cents - p.commission_cents as cents
        from websites w
        join ad_zones z on z.website_id = w.id and z.deleted_at is null
        join ads a on a.ad_zone_id = z.id
        join payments p on p.ad_id = a.id and p.status = 'succeeded' and p.book = ${book}
        where w.user_id = ${userId} and w.archived_at is null and p.paid_at >= ${bought}
          and (${zone ?? null}::uuid is null or z.public_id = ${zone ?? null}::uuid)
    ), most as (
      select kind.*, paid.unit as most
        from (select distinct width, height, user_id, pricing_model, ad_type from bought) as kind
        cross join lateral (
          select max(${unit('a')}) as unit
            from ads a
            join payments p on p.ad_id = a.id and p.status = 'succeeded' and p.book = ${book}
            join ad_zones z on z.id = a.ad_zone_id and z.width = kind.width and z.height = kind.height
            where a.user_id = kind.user_id and a.pricing_model = kind.pricing_model and a.ad_type = kind.ad_type
              and p.paid_at >= ${compared}
          offset 0) as paid
    ), by_zone as (
      select b.zone_id, b.pricing_model, count(*) as ads, json_agg(json_build_object(
          'advertiserId', b.user_id, 'earnedCents', b.cents, 'mostPaid', m.most / b.unit)) as bought
        from bought b join most m using (width, height, user_id, pricing_model, ad_type)
        group by b.zone_id, b.pricing_model
        order by ads desc, b.zone_id, b.pricing_model
        limit ${limit}
    )
    select z.public_id as zone, z.name as "zoneName", w.shown_name as "websiteName", s.pricing_model as "pricingModel",
        s.bought
      from by_zone s join ad_zones z on z.id = s.zone_id join websites w on w.id = z.website_id
      order by s.ads desc, z.id, s.pricing_model`.execute(tx);
  return rows;
}
