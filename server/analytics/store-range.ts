/** Figures of a range of days, from `delivery_hourly` and `payments`. Amounts are cents, as text. */
import { sql } from 'kysely';
import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Grouping } from '#domain/analytics/groupings.ts';
import type { Side } from '#domain/analytics/contract.ts';
import type { Step } from '#domain/analytics/days.ts';
import type { Tx } from '../db/database.ts';
import { earnings, spending } from './store.ts';

/** Public ids that narrow the figures. */
export type Filters = {
  campaign?: string | undefined;
  zone?: string | undefined;
  website?: string | undefined;
};

/** `from` and `to` are days 'YYYY-MM-DD' in the timezone, both included. */
export type Range = Filters & { side: Side; userId: number; from: string; to: string; timezone: string };

export type Sums = { impressions: string; clicks: string; amount: string };

/** The user's timezone, or UTC until they choose one. */
export async function findTimezone(tx: Tx, userId: number): Promise<string> {
  const row = await tx
    .selectFrom('userSettings')
    .select('timezone')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.timezone ?? 'UTC';
}

const FILTERED = { campaign: 'ads', zone: 'ad_zones', website: 'websites' } as const;

/**
 * Whether one of the filters names something that is not the user's. Advertisers own their campaigns and may name the
 * ad zones and websites of these. Publishers own their websites and ad zones and may name the campaigns in these.
 */
export async function namesUnowned(tx: Tx, side: Side, userId: number, filters: Filters): Promise<boolean> {
  for (const [name, table] of Object.entries(FILTERED)) {
    const publicId = filters[name as keyof Filters];
    if (publicId === undefined) continue;
    // A publisher may name a website without ad zones and an ad zone without ads.
    const ads = side === 'seller' && name !== 'campaign' ? sql`left join ads` : sql`join ads`;
    const zones = side === 'seller' && name === 'website' ? sql`left join ad_zones` : sql`join ad_zones`;
    const { rows } = await sql`
      select from websites
        ${zones} on ad_zones.website_id = websites.id
        ${ads} on ads.ad_zone_id = ad_zones.id
        where ${sql.ref(`${table}.public_id`)} = ${publicId} and ${ownedBy(side, userId)}
        limit 1`.execute(tx);
    if (rows.length === 0) return true;
  }
  return false;
}

function ownedBy(side: Side, userId: number) {
  return side === 'buyer' ? sql`ads.user_id = ${userId}` : sql`websites.user_id = ${userId}`;
}

/** The user's ads on the range's side that pass its filters. */
export function ownAds({ side, userId, ...filters }: Range) {
  const within = Object.entries(FILTERED).flatMap(([name, table]) => {
    const publicId = filters[name as keyof Filters];
    return publicId === undefined ? [] : [sql`and ${sql.ref(`${table}.public_id`)} = ${publicId}`];
  });
  return sql`
    select ads.id as ad_id, ad_zones.id as zone_id, websites.id as website_id
      from ads
      join ad_zones on ad_zones.id = ads.ad_zone_id
      join websites on websites.id = ad_zones.website_id
      where ${ownedBy(side, userId)} ${sql.join(within, sql` `)}`;
}

export const since = ({ from, timezone }: Range) => sql`(${from}::date::timestamp at time zone ${timezone})`;
export const until = ({ to, timezone }: Range) =>
  sql`((${to}::date + 1)::timestamp at time zone ${timezone})`;

/**
 * The counted hours of one ad `own`, less the withdrawn events, for a lateral join. `offset 0` keeps the planner from
 * reordering the join, so that it always reads only the hours of the range, ad by ad, through the index.
 */
function countedHours(range: Range) {
  return sql`
    select d.hour, d.kind, d.n
      from delivery_hourly d
      where d.ad_id = own.ad_id and d.kind in ('view', 'click') and d.reason = ''
        and d.hour >= ${since(range)} and d.hour < ${until(range)}
    union all
    select h.hour, h.kind, -h.n
      from withdrawn_hours h
      where h.ad_id = own.ad_id and h.kind in ('view', 'click')
        and h.hour >= ${since(range)} and h.hour < ${until(range)}
    offset 0`;
}

const SUMS = sql`
  sum(d.n) filter (where d.kind = 'view') as impressions, sum(d.n) filter (where d.kind = 'click') as clicks`;

/** Joins the payment of each ad `own` that was made in the range. */
function paid(range: Range) {
  return sql`join payments on payments.ad_id = own.ad_id and payments.status = 'succeeded'
    and payments.paid_at >= ${since(range)} and payments.paid_at < ${until(range)}`;
}

const amountOf = ({ side }: Range) => (side === 'buyer' ? spending : earnings);

/** Returns one row for every day, week or month of the range, in order. */
export async function sumByStep(tx: Tx, range: Range, step: Step): Promise<(Sums & { start: string })[]> {
  const { from, to, timezone } = range;
  const { rows } = await sql<Sums & { start: string }>`
    with own as (${ownAds(range)}),
    buckets as (
      select start::date from generate_series(
        date_trunc(${step}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${step}`}::interval) as start
    ), hours as (
      -- Sum by hour before computing the day, because the time zone conversion is slow and hours are far fewer than rows.
      select d.hour, ${SUMS}
        from own cross join lateral (${countedHours(range)}) as d
        group by d.hour
    ), delivered as (
      select date_trunc(${step}, hour at time zone ${timezone})::date as start,
          sum(impressions) as impressions, sum(clicks) as clicks
        from hours
        group by 1
    ), paid as (
      select date_trunc(${step}, payments.paid_at at time zone ${timezone})::date as start,
          sum(${amountOf(range)}) as amount
        from own ${paid(range)}
        group by 1
    )
    select start, coalesce(impressions, 0) as impressions, coalesce(clicks, 0) as clicks, coalesce(amount, 0) as amount
      from buckets left join delivered using (start) left join paid using (start)
      order by start`.execute(tx);
  return rows;
}

export type BreakdownPosition = { impressions: number; amount: number; id: number };
export type BreakdownResult = Sums & {
  id: number;
  publicId: string;
  name: string;
  websiteName: string | null;
  zoneName: string | null;
  creative: { adType: AdType; imageUrl: string | null; videoUrl: string | null; status: AdStatus } | null;
};

const NO_CREATIVE = sql`null::json as creative`;
const GROUPS = {
  campaign: {
    key: sql`own.ad_id`,
    from: sql`ads join ad_zones on ad_zones.id = ads.ad_zone_id join websites on websites.id = ad_zones.website_id
      where ads.id = sums.id`,
    select: sql`ads.public_id, ads.title as name, websites.shown_name as website_name, ad_zones.name as zone_name,
      json_build_object('adType', ads.ad_type, 'imageUrl', ads.image_url, 'videoUrl', ads.video_url,
        'status', ads.status) as creative`,
  },
  zone: {
    key: sql`own.zone_id`,
    from: sql`ad_zones join websites on websites.id = ad_zones.website_id where ad_zones.id = sums.id`,
    select: sql`ad_zones.public_id, ad_zones.name, websites.shown_name as website_name, null as zone_name, ${NO_CREATIVE}`,
  },
  website: {
    key: sql`own.website_id`,
    from: sql`websites where websites.id = sums.id`,
    select: sql`websites.public_id, websites.shown_name as name, null as website_name, null as zone_name, ${NO_CREATIVE}`,
  },
};

/** Groups with views, clicks or payments in the range, most views first. `after` is the last row of the previous page. */
export async function sumByGroup(
  tx: Tx,
  range: Range,
  by: Grouping,
  page: { after: BreakdownPosition | null; limit: number },
): Promise<BreakdownResult[]> {
  const { key, from, select } = GROUPS[by];
  const { after, limit } = page;
  const { rows } = await sql<BreakdownResult>`
    with own as (${ownAds(range)}),
    sums as (
      select ${key} as id, coalesce(sum(delivered.impressions), 0) as impressions, coalesce(sum(delivered.clicks), 0) as clicks,
          coalesce(sum(paid.amount), 0) as amount
        from own
        left join (
          select own.ad_id, ${SUMS} from own cross join lateral (${countedHours(range)}) as d group by own.ad_id
        ) as delivered on delivered.ad_id = own.ad_id
        left join (
          select own.ad_id, ${amountOf(range)} as amount from own ${paid(range)}
        ) as paid on paid.ad_id = own.ad_id
        where delivered.ad_id is not null or paid.ad_id is not null
        group by 1
    )
    select sums.*, named.*
      from sums cross join lateral (select ${select} from ${from}) as named
      ${
        after === null
          ? sql``
          : sql`where (sums.impressions, sums.amount, sums.id) < (${after.impressions}, ${after.amount}, ${after.id})`
      }
      order by sums.impressions desc, sums.amount desc, sums.id desc
      limit ${limit}`.execute(tx);
  return rows;
}
