import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

export async function markTagSeen(tx: Tx, zoneIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update ad_zones set tag_seen_at = ${now}
      where id in (
        select id from ad_zones
          where id = any(${zoneIds}) and (tag_seen_at is null or tag_seen_at < ${now})
          order by id for no key update)`.execute(tx);
}
