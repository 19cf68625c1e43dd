/** The SQL of overview.ts. It reads the tables of all domains by time, so its cost grows with the period, not with history. */
import { sql } from 'kysely';
import { INVALID_REASONS } from '#domain/delivery/reasons.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** `from` and `to` are UTC days, 'YYYY-MM-DD', both included. */
export type Range = { from: string; to: string; book: PaymentBook };

/** Cents and numbers of events of one day. `earned`: delivered amounts, of which `commission` is the marketplace's. */
export type DaySums = {
  day: string;
  sales: number;
  refunds: number;
  earned: number;
  commission: number;
  requests: number;
  filled: number;
  reported: number;
  invalid: number;
};

const since = ({ from }: Range) => sql`(${from}::date::timestamp at time zone 'UTC')`;
const until = ({ to }: Range) => sql`((${to}::date + 1)::timestamp at time zone 'UTC')`;

/**
 * Whether an ad was sold in the present book. A subquery for each row, as the others here, so that PostgreSQL looks it up
 * by index and does not read all payments for a join.
 */
const isSold = ({ book }: Range, ad: string) => sql`coalesce((
  select true from payments p where p.ad_id = ${sql.ref(ad)} and p.status = 'succeeded' and p.book = ${book}), false)`;

/** One row for each day of the range, in order. */
export async function sumByDay(tx: Tx, range: Range): Promise<DaySums[]> {
  // The start of the UTC day. It is many times faster than a conversion to a date, for each of many rows.
  const day = (column: string) =>
    sql`date_bin('1 day', ${sql.ref(column)}, timestamptz '2000-01-01T00:00:00Z')`;
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${since(range)} and ${sql.ref(column)} < ${until(range)}`;
  const { rows } = await sql<Record<keyof DaySums, string>>`
    with paid as (
      select ${day('paid_at')} as day, sum(amount_cents) as sales
        from payments where status = 'succeeded' and book = ${range.book} and ${within('paid_at')}
        group by 1
    ), returned as (
      select ${day('r.created_at')} as day, sum(r.amount_cents) as refunds
        from refunds r
        where ${within('r.created_at')}
          and (select p.status = 'succeeded' and p.book = ${range.book} from payments p where p.id = r.payment_id)
        group by 1
    ), by_ad as (
      -- Sum up before the join, because an ad has many hours.
      select ad_id, ${day('hour')} as day, sum(publisher_cents) as publisher, sum(commission_cents) as commission
        from earned_hours where ${within('hour')}
        group by 1, 2
    ), sold as (
      select ad_id, taxed from (
        select ad_id, (
            select p.tax_cents::numeric / p.amount_cents from payments p
              where p.ad_id = ads.ad_id and p.status = 'succeeded' and p.book = ${range.book}) as taxed
          from (select distinct ad_id from by_ad) as ads) as shares
        where taxed is not null
    ), earned as (
      -- The tax inside what was delivered is no revenue. Each day of an ad has its part, rounded.
      select day, sum(publisher + commission) as earned,
          sum(commission - round((publisher + commission) * taxed)) as commission
        from by_ad join sold using (ad_id)
        group by 1
    ), by_kind as (
      -- Sum up before the reasons are compared, because that takes longer for each row than the rest.
      select ${day('hour')} as day, kind, reason, counts, ad_id is not null as is_filled, sum(n) as n
        from judged_hours where ${within('hour')}
        group by 1, 2, 3, 4, 5
    ), counted as (
      select day,
          sum(n) filter (where kind = 'decision' and counts) as requests,
          sum(n) filter (where kind = 'decision' and counts and is_filled) as filled,
          sum(n) filter (where kind in ('view', 'click') and reason <> 'duplicate') as reported,
          sum(n) filter (where kind in ('view', 'click') and reason = any(${INVALID_REASONS})) as invalid
        from by_kind
        group by 1
    )
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(sales, 0) as sales, coalesce(refunds, 0) as refunds,
        coalesce(earned, 0) as earned, coalesce(commission, 0) as commission, coalesce(requests, 0) as requests,
        coalesce(filled, 0) as filled, coalesce(reported, 0) as reported, coalesce(invalid, 0) as invalid
      from generate_series(${since(range)}, ${until(range)} - interval '1 hour', interval '24 hours') as days (day)
        left join paid using (day) left join returned using (day) left join earned using (day)
        left join counted using (day)
      order by day`.execute(tx);
  return rows.map(({ day: of, ...sums }) => ({
    day: of,
    ...(Object.fromEntries(Object.entries(sums).map(([name, n]) => [name, Number(n)])) as Omit<
      DaySums,
      'day'
    >),
  }));
}

export type People = {
  activePublishers: number;
  newPublishers: number;
  activeAdvertisers: number;
  newAdvertisers: number;
};

export async function countPeople(tx: Tx, range: Range): Promise<People> {
  const { rows } = await sql<Record<keyof People, string>>`
    with bought as (
      select ad_id, user_id from payments
        where status = 'succeeded' and book = ${range.book} and paid_at >= ${since(range)} and paid_at < ${until(range)}
    ), traded as (
      select ad_id from bought
      union
      select ad_id from earned_hours
        where hour >= ${since(range)} and hour < ${until(range)} and publisher_cents + commission_cents > 0
    ), sides as (
      select (
          select array[w.user_id, a.user_id] from ads a
            join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
            where a.id = traded.ad_id) as ids
        from traded where ${isSold(range, 'traded.ad_id')}
    )
    select count(distinct ids[1]) as "activePublishers", count(distinct ids[2]) as "activeAdvertisers",
        (select count(*) from websites w
          where w.created_at >= ${since(range)} and w.created_at < ${until(range)}
            and w.id = (select min(e.id) from websites e where e.user_id = w.user_id)) as "newPublishers",
        (select count(*) from (select distinct user_id from bought) as b
          where ${since(range)} <= (
            select min(e.paid_at) from payments e
              where e.user_id = b.user_id and e.paid_at is not null and e.status = 'succeeded'
                and e.book = ${range.book})) as "newAdvertisers"
      from sides`.execute(tx);
  const [row] = rows;
  return {
    activePublishers: Number(row?.activePublishers),
    newPublishers: Number(row?.newPublishers),
    activeAdvertisers: Number(row?.activeAdvertisers),
    newAdvertisers: Number(row?.newAdvertisers),
  };
}

/** The median of the hours from the submission to the approval, of the ads approved in the range; null without one. */
export async function medianHoursToApproval(tx: Tx, range: Range): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null }>`
    select percentile_cont(0.5) within group (order by extract(epoch from approved_at - review_since) / 3600) as hours
      from ads where approved_at >= ${since(range)} and approved_at < ${until(range)}`.execute(tx);
  return rows[0]?.hours ?? null;
}
