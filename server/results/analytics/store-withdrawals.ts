/** Adjustments of counted traffic, as the two sides of an ad see them. */
import { sql } from 'kysely';
import type { Exceeded } from '#domain/invalid-traffic/signals.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { ownAds, type Range, since, until } from './store-range.ts';

export type WithdrawalRow = {
  id: number;
  zone: string;
  zoneName: string;
  websiteName: string;
  fromHour: Date;
  untilHour: Date;
  madeAt: Date;
  views: number;
  clicks: number;
  signals: Exceeded[];
  overruledAt: Date | null;
  overruledReason: string | null;
};

/** Withdrawals of hours in the range that concern the user's ads, newest first, with ids below `before`. */
export async function listOwn(
  tx: Tx,
  range: Range,
  page: { before: number | null; limit: number },
): Promise<WithdrawalRow[]> {
  const { rows } = await sql<WithdrawalRow>`
    with own as (${ownAds(range)})
    select c.id, z.public_id as zone, z.name as zone_name, w.shown_name as website_name, c.from_hour, c.until_hour, c.made_at,
        c.signals, taken.views, taken.clicks, o.made_at as overruled_at, o.reason as overruled_reason
      from (select distinct zone_id from own) as of_zone
      -- Matches the index exactly, so that only the withdrawals of the range are read.
      cross join lateral (
        select * from withdrawals c
          where c.zone_id = of_zone.zone_id and c.until_hour > ${since(range)} and c.from_hour < ${until(range)}
            and c.overrules is null and (${page.before}::integer is null or c.id < ${page.before})
          offset 0) as c
      cross join lateral (
        select coalesce(sum(h.n) filter (where h.kind = 'view'), 0)::float8 as views,
            coalesce(sum(h.n) filter (where h.kind = 'click'), 0)::float8 as clicks
          from withdrawn_hours h
          where h.withdrawal_id = c.id and h.ad_id in (select ad_id from own)
          offset 0) as taken
      join ad_zones z on z.id = c.zone_id
      join websites w on w.id = z.website_id
      left join withdrawals o on o.overrules = c.id
      where taken.views + taken.clicks > 0
      order by c.id desc
      limit ${page.limit}`.execute(tx);
  return rows;
}
