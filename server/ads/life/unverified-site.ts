/**
 * Earnings of websites whose owner is not proven. An unverified site may be sold, but its earnings are on hold.
 * [LEDG-11]
 */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Holds the earnings of a live ad, or of all live ads of a website, from now on, unless the website is verified.
 * Earnings that were posted before stay free.
 */
export async function holdIfUnverified(
  tx: Tx,
  of: { adId: number } | { websiteId: number },
  at: Date,
): Promise<void> {
  const named = 'adId' in of ? sql`a.id = ${of.adId}` : sql`w.id = ${of.websiteId}`;
  await sql`
    insert into holds (user_id, ad_id, reason, made_at, earned_before_cents)
      select w.user_id, a.id, 'unverified_site', ${at}, coalesce(e.publisher_cents, 0)
        from ads a
        join ad_zones z on z.id = a.ad_zone_id
        join websites w on w.id = z.website_id
        left join ad_earnings e on e.ad_id = a.id
        where ${named} and a.status = 'active' and w.verified_at is null
      on conflict do nothing`.execute(tx);
}

/** Ends these holds of a website, because it is verified. */
export async function releaseVerified(tx: Tx, websiteId: number, at: Date): Promise<void> {
  await sql`
    update holds h set released_at = ${at}
      from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
      where w.id = ${websiteId} and w.verified_at is not null and h.ad_id = a.id
        and h.reason = 'unverified_site' and h.released_at is null`.execute(tx);
}
