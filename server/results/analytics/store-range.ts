/** Figures of a range of days, from `delivery_hourly`, `earned_hours` and `payments`. Amounts are cents, as text. */
import { sql } from 'kysely';
import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Grouping } from '#domain/analytics/groupings.ts';
import type { Side } from '#domain/analytics/contract.ts';
import type { Step } from '#domain/analytics/days.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { HourEarnings } from '#domain/payments/earned-hours.ts';
import { PAID } from './store.ts';

/** Public ids that narrow the figures. */
export type Filters = {
  campaign?: string | undefined;
  zone?: string | undefined;
  website?: string | undefined;
};

/** `from` and `to` are days 'YYYY-MM-DD' in the timezone, both included. Money is that of the book. */
export type Range = Filters & {
  side: Side;
  userId: number;
  from: string;
  to: string;
  timezone: string;
  book: PaymentBook;
};

export type Sums = { impressions: string; clicks: string; amount: string; paid: string };

/** Earnings that are not posted yet, by ad and hour. */
export type Unposted = readonly (HourEarnings & { adId: number })[];

/** The user's timezone, or UTC until they choose one that the database knows. */
export async function findTimezone(tx: Tx, userId: number): Promise<string> {
  const row = await tx
    .selectFrom('userSettings')
    .select(sql<string>`known_timezone(timezone)`.as('timezone'))
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
export function ownAds({ side, userId, ...filters }: Omit<Range, 'book'>) {
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

/** The paid ones of the ads `own`. */
const sold = ({ book }: Range) => sql`
  select own.*, payments.id as payment_id, payments.paid_at
    from own join payments on payments.ad_id = own.ad_id and payments.status = 'succeeded' and payments.book = ${book}`;

/**
 * The counted hours of one ad `own`, less the withdrawn events, for a lateral join. `offset 0` keeps the planner from
 * reordering the join, so that it always reads only the hours of the range, ad by ad, through the index.
 */
function countedHours(range: Range) {
  return sql`
    select d.hour, d.kind, d.n
      from net_hours d
      where d.ad_id = own.ad_id and d.kind in ('view', 'click')
        and d.hour >= ${since(range)} and d.hour < ${until(range)}
    offset 0`;
}

/**
 * Views, clicks and earned cents of the ads `own` and `sold` by ad and hour, as rows (ad_id, hour, kind, n). A publisher's
 * part of the earnings is without the commission. [FIG-01]
 */
function hoursOf(range: Range, unposted: Unposted) {
  const cents =
    range.side === 'seller' ? sql.raw('publisher_cents') : sql.raw('publisher_cents + commission_cents');
  const rows = unposted.map(({ adId, hour, publisherCents, commissionCents }) => ({
    ad_id: adId,
    hour: new Date(hour),
    publisher_cents: publisherCents,
    commission_cents: commissionCents,
  }));
  return sql`
    select own.ad_id, d.hour, d.kind, d.n from own cross join lateral (${countedHours(range)}) as d
    union all
    select sold.ad_id, e.hour, 'earned', e.cents
      from sold cross join lateral (
        select hour, ${cents} as cents from earned_hours
          where ad_id = sold.ad_id and hour >= ${since(range)} and hour < ${until(range)}
          offset 0) as e
    union all
    select sold.ad_id, u.hour, 'earned', ${cents}
      from sold
      join json_to_recordset(${JSON.stringify(rows)}::json)
        as u (ad_id integer, hour timestamptz, publisher_cents bigint, commission_cents bigint)
        on u.ad_id = sold.ad_id and u.hour >= ${since(range)} and u.hour < ${until(range)}`;
}

const SUMS = sql`
  sum(n) filter (where kind = 'view') as impressions, sum(n) filter (where kind = 'click') as clicks,
  sum(n) filter (where kind = 'earned') as amount`;

/** A side's part of the payment of each ad `sold` that was made in the range, as rows (ad_id, paid_at, cents). */
const paidIn = (range: Range) => sql`
  select sold.ad_id, payments.paid_at, ${PAID[range.side]} as cents
    from sold
    join payments on payments.id = sold.payment_id
    join ad_earnings on ad_earnings.ad_id = sold.ad_id
    where sold.paid_at >= ${since(range)} and sold.paid_at < ${until(range)}`;

/** The user's paid ads on the range's side that may have delivered something since their last accrual. */
export async function listDueAds(tx: Tx, range: Range): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with own as (${ownAds(range)})
    select own.ad_id as id
      from own join ad_earnings on ad_earnings.ad_id = own.ad_id and ad_earnings.due_at is not null`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Returns one row for every day, week or month of the range, in order. */
export async function sumByStep(
  tx: Tx,
  range: Range,
  step: Step,
  unposted: Unposted,
): Promise<(Sums & { start: string })[]> {
  const { from, to, timezone } = range;
  const { rows } = await sql<Sums & { start: string }>`
    with own as (${ownAds(range)}), sold as (${sold(range)}),
    buckets as (
      select start::date from generate_series(
        date_trunc(${step}, ${from}::date::timestamp), ${to}::date::timestamp, ${`1 ${step}`}::interval) as start
    ), hours as (
      -- Sum by hour before computing the day, because the time zone conversion is slow and hours are far fewer than rows.
      select hour, ${SUMS} from (${hoursOf(range, unposted)}) as d group by hour
    ), delivered as (
      select date_trunc(${step}, hour at time zone ${timezone})::date as start,
          sum(impressions) as impressions, sum(clicks) as clicks, sum(amount) as amount
        from hours
        group by 1
    ), paid as (
      select date_trunc(${step}, paid_at at time zone ${timezone})::date as start, sum(cents) as paid
        from (${paidIn(range)}) as payments
        group by 1
    )
    select start, coalesce(impressions, 0) as impressions, coalesce(clicks, 0) as clicks, coalesce(amount, 0) as amount,
        coalesce(paid, 0) as paid
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

/**
 * Groups with views, clicks, earnings or payments in the range, most views first. `after` is the last row of the previous
 * page.
 */
export async function sumByGroup(
  tx: Tx,
  range: Range,
  by: Grouping,
  page: { after: BreakdownPosition | null; limit: number; unposted: Unposted },
): Promise<BreakdownResult[]> {
  const { key, from, select } = GROUPS[by];
  const { after, limit, unposted } = page;
  const { rows } = await sql<BreakdownResult>`
    with own as (${ownAds(range)}), sold as (${sold(range)}),
    sums as (
      select ${key} as id, coalesce(sum(delivered.impressions), 0) as impressions, coalesce(sum(delivered.clicks), 0) as clicks,
          coalesce(sum(delivered.amount), 0) as amount, coalesce(sum(paid.cents), 0) as paid
        from own
        left join (
          select ad_id, ${SUMS} from (${hoursOf(range, unposted)}) as d group by ad_id
        ) as delivered on delivered.ad_id = own.ad_id
        left join (${paidIn(range)}) as paid on paid.ad_id = own.ad_id
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
