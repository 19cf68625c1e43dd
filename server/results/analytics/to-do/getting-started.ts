import type { GettingStarted } from '#domain/analytics/getting-started-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** The first steps that the user has done, on both sides. */
export function gettingStarted(ctx: Context, who: Caller): Promise<GettingStarted> {
  return findGettingStarted(ctx.db, who.id);
}

export async function findGettingStarted(tx: Tx, userId: number): Promise<GettingStarted> {
  const zones = sql`from websites w join ad_zones z on z.website_id = w.id and z.deleted_at is null
    where w.user_id = ${userId} and w.archived_at is null`;
  const { rows } = await sql<GettingStarted>`
    select
      u.profile_image_url is not null or coalesce(s.business_name, '') <> '' as profile,
      exists (select from websites where user_id = u.id and archived_at is null) as website,
      exists (select ${zones} and exists (
        select from ad_zone_products p where p.ad_zone_id = z.id and p.is_active)) as price,
      exists (select from websites where user_id = u.id and archived_at is null and verified_at is not null) as verified,
      exists (select ${zones} and z.tag_seen_at is not null) as "tagSeen",
      exists (
        select from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
          where w.user_id = u.id and a.start_date is not null) as sold,
      exists (select from ads where user_id = u.id) as submitted,
      exists (select from ads where user_id = u.id and start_date is not null) as paid
      from users u left join user_settings s on s.user_id = u.id
      where u.id = ${userId}`.execute(tx);
  return rows[0] as GettingStarted;
}
