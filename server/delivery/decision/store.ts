import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Writes the zones that no server has written in the last `everyMs`. When a zone's tag is seen for the first time, the job
 * 'check-websites' looks for its code as a proof. [OWN-01]
 */
export async function markTagSeen(
  tx: Tx,
  zoneIds: readonly number[],
  now: Date,
  everyMs: number,
): Promise<void> {
  const writtenBefore = new Date(Number(now) - everyMs);
  await sql`
    with noted as (
      update ad_zones set tag_seen_at = ${now}
        from (
          select id, tag_seen_at is null as is_first from ad_zones
            where id = any(${zoneIds}) and (tag_seen_at is null or tag_seen_at <= ${writtenBefore})
            order by id for no key update) as seen
        where ad_zones.id = seen.id
        returning website_id, is_first)
    insert into site_checks (website_id, requested_at, next_check_at)
      select distinct w.id, ${now}::timestamptz, ${now}::timestamptz
        from noted join websites w on w.id = noted.website_id
        where is_first and w.verified_at is null and w.archived_at is null
        order by w.id
      on conflict (website_id) do update
        set requested_at = excluded.requested_at, next_check_at = excluded.next_check_at`.execute(tx);
}
